#!/bin/sh
# Compares the digests of checkpoints with expected ones.
#
#   check-digests.sh <digests.txt> <directory>
#
# Status 0: equal; 1: a digest differs; 77: the CPU has no fused multiply-adds,
# without which results have other bits.
set -u
grep -qw fma /proc/cpuinfo || exit 77
status=0
while read -r expected file; do
  [ "$expected" = "#" ] && continue
  found=$(head -c 65536 "$2/$file" | grep -ao '"tg.data_sha256":"[0-9a-f]*' |
    head -n 1 | cut -d '"' -f 4)
  if [ "$found" != "$expected" ]; then
    echo "$file: expected the digest $expected, found ${found:-none}"
    status=1
  fi
done < "$1"
exit $status
