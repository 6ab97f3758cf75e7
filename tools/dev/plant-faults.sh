#!/bin/bash
# Plants faults in the compiler, one at a time, and fails if the tests miss one.
#
#   tools/dev/plant-faults.sh [<build directory>] [<pattern>]
#   tools/dev/plant-faults.sh --table  prints the table of test/README.md
#
# The pattern is the name of a fault, or a part of the compiler: dialect,
# transforms, codegen, library or frontend; or order, the orders of sums in all
# parts. Without a pattern all faults are planted.
#
# Each fault takes a compilation and a test; all take some minutes. The tree must
# have no changes. Each file is restored, even after Ctrl-C.
set -euo pipefail
. "$(dirname "$0")/answer.sh"
cd "$(dirname "$0")/../.."

if [ "${1:-}" = --table ]; then
  set -- build --table
fi
exec python3 test/planted/compiler_run.py . "${1:-build}" "${2:-*}"
