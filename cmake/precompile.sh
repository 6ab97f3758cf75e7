#!/bin/bash
# precompile.sh <compiler> <options>...
# Runs the compiler and writes a checksum next to a precompiled header, which
# ccache uses in place of its content (CCACHE_PCH_EXTSUM). The checksum is that
# of the text of all included files, which is the same in every clone, unlike
# the file names in the precompiled header.
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
