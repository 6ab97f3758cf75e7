#!/bin/bash
# Makes a virtual environment of Python with the packages of a list, unless it
# exists. The list names all of them with their versions. PYTHON names another
# interpreter than python3.
#
#   tools/dev/make-environment.sh tools/dev/event-readers.txt build/event-readers
set -euo pipefail
. "$(dirname "$0")/answer.sh"

if [ $# -ne 2 ]; then
  echo "usage: tools/dev/make-environment.sh <list> <directory>" >&2
  exit 2
fi
packages=$1
directory=$2
copy=$directory/$(basename "$packages")

# The list is copied there last, so an environment with it is complete.
if cmp -s "$packages" "$copy"; then
  exit 0
fi
echo "Installing the packages of $packages in $directory"
rm -rf "$directory"
mkdir -p "$(dirname "$directory")"
if ! "${PYTHON:-python3}" -m venv "$directory" >"$directory.log" 2>&1 ||
  ! "$directory/bin/python" -m pip install --quiet --no-input \
    --disable-pip-version-check --no-deps -r "$packages" >>"$directory.log" 2>&1; then
  tail -5 "$directory.log" >&2
  echo "error: could not install the packages of $packages; the log is $directory.log" >&2
  exit 1
fi
rm -f "$directory.log"
cp "$packages" "$copy"
