#!/bin/bash
# Makes the virtual environment of Python with the packages of
# event-readers.txt, which tests read event files with, unless it exists.
#
#   tools/dev/make-event-readers.sh build/event-readers
set -euo pipefail

if [ $# -ne 1 ]; then
  echo "usage: tools/dev/make-event-readers.sh <directory>" >&2
  exit 2
fi
packages=$(dirname "$0")/event-readers.txt
directory=$1

# The list is copied there last, so an environment with it is complete.
if cmp -s "$packages" "$directory/event-readers.txt"; then
  exit 0
fi
echo "Installing readers of event files in $directory"
rm -rf "$directory"
if ! python3 -m venv "$directory" >"$directory.log" 2>&1 ||
  ! "$directory/bin/python" -m pip install --quiet --no-input \
    --disable-pip-version-check --no-deps -r "$packages" >>"$directory.log" 2>&1; then
  tail -5 "$directory.log" >&2
  echo "error: expected TensorBoard and tbparse from PyPI for tests of event files; the log is $directory.log" >&2
  exit 1
fi
rm -f "$directory.log"
cp "$packages" "$directory/event-readers.txt"
