#!/bin/bash
# precompile.sh <compiler> <options>...
# Compiles, and writes beside a precompiled header the sum that ccache takes for
# its content (CCACHE_PCH_EXTSUM): of the text of all that it includes, which is
# the same in every clone, as the names of files in it are not.
set -euo pipefail

"$@"
base=
while (($#)); do
  case $1 in
  -MF) dependencies=$2 ;;
  -o) output=$2 ;;
  -include-pch) base=$2.sum ;;
  esac
  shift
done
[[ $output == *.pch ]] || exit 0
sed '1s/^[^:]*: *//; s/\\$//' "$dependencies" | xargs -n1 |
  grep -v '\.pch$' | tr '\n' '\0' |
  xargs -0 cat ${base:+"$base"} | sha256sum >"$output.sum"
