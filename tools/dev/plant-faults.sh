#!/bin/bash
# Plants faults in the compiler, one at a time, and fails if the tests miss one.
#
#   tools/dev/plant-faults.sh [<build directory>] [<pattern>]
#   tools/dev/plant-faults.sh --table  prints the table of test/README.md
#
# The pattern is a name or a part: dialect, transforms, codegen, library or
# frontend. Without it all are planted.
#
# Every fault is a compilation and a test: some minutes for all. The tree must
# have no changes; each file is restored, also after Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ "${1:-}" = --table ]; then
  set -- build --table
fi
exec python3 test/planted/compiler_run.py . "${1:-build}" "${2:-*}"
