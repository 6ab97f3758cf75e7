#!/bin/bash
# Makes a virtual environment of Python with the package tgc, built from this
# tree, and with the packages of python.txt that build and test it. Does nothing
# if that environment is up to date. The wheel lies in its directory `wheels`.
#
#   tools/dev/make-python.sh build/python
#   PYTHON=python3.13 tools/dev/make-python.sh build/python-3.13
#
# The wheel has the models to try of the build in build or build-release, or of
# the directory that TG_MODELS names, if they exist. Wheels have equal bytes for
# equal sources, models, compilers and SOURCE_DATE_EPOCH, by default the time of
# the last commit.
set -euo pipefail
. "$(dirname "$0")/answer.sh"

if [ $# -ne 1 ]; then
  echo "usage: tools/dev/make-python.sh <directory>" >&2
  exit 2
fi
directory=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
log=$directory.log

# run <what> <command...>: ends the script if a command fails.
run() {
  if ! "${@:2}" >>"$log" 2>&1; then
    tail -15 "$log" >&2
    echo "error: could not $1; the log is $log" >&2
    exit 1
  fi
}

bash tools/dev/make-environment.sh tools/dev/python.txt "$directory"

models=
for candidate in "${TG_MODELS:-}" {build,build-release}/share/tg/models; do
  if [ -z "$models" ] && [ -f "$candidate/digits.so" ]; then
    models=$(realpath "$candidate")
  fi
done
# The wheel depends on the sources of the runtime and of its installation.
sources=$(find CMakeLists.txt cmake include runtime $models -type f \
  ! -name '*.pyc' | LC_ALL=C sort | xargs sha256sum | sha256sum)
if [ "$sources" = "$(cat "$directory/sources" 2>/dev/null)" ]; then
  exit 0
fi
echo "Building the Python package in $directory"
rm -rf "$log" "$directory/raw" "$directory/wheels"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
export PATH=$directory/bin:$PATH
export CXXFLAGS="${CXXFLAGS:-} -ffile-prefix-map=$PWD=. -ffile-prefix-map=$directory=python"
run "build the wheel" python -m pip wheel --no-input --no-index --no-deps \
  --no-build-isolation --disable-pip-version-check -v \
  --config-settings=build-dir="$directory/objects" \
  --config-settings=cmake.define.TG_MODELS="$models" -w "$directory/raw" runtime/python
run "repair the wheel" auditwheel repair -w "$directory/wheels" "$directory"/raw/tgc-*.whl
run "install the wheel" python -m pip install --no-input --no-index --no-deps \
  --disable-pip-version-check --force-reinstall "$directory"/wheels/tgc-*.whl
rm -rf "$log" "$directory/raw"
echo "$sources" >"$directory/sources"
