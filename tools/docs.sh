#!/bin/bash
# Makes the site: the documents, the references of operations, passes and of the
# Python module, and the API reference. It opens without a server, and fetches nothing.
#
#   tools/docs.sh                          # makes build/site; open build/site/index.html
#   tools/docs.sh --output /tmp/tgc-site   # makes it elsewhere
set -euo pipefail
. "$(dirname "$0")/dev/answer.sh"
cd "$(dirname "$0")/.."

output=build/site
case "${1:-}" in
'') ;;
--output) output=${2:?expected a directory after --output, found none} ;;
--output=*) output=${1#--output=} ;;
*)
  echo "usage: tools/docs.sh [--output <directory>], found $1; see --help" >&2
  exit 2
  ;;
esac

bash tools/install-dependencies.sh
bash tools/dev/make-environment.sh tools/docs/requirements.txt build/docs-python
bash tools/dev/make-python.sh build/python
if [ ! -f build/build.ninja ] && ! cmake --preset dev >build/configure.log 2>&1; then
  tail -30 build/configure.log
  exit 1
fi
cmake --build build --target docs -- --quiet
build/docs-python/bin/python -B tools/docs/build_site.py \
  --references build/docs --python build/python --work build/site-work --output "$output"
echo "The site is $output/index.html"
