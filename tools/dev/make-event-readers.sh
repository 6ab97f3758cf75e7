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
here=$(dirname "$0")
exec bash "$here/make-environment.sh" "$here/event-readers.txt" "$1"
