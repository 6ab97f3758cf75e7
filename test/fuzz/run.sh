#!/bin/bash
# Feeds mutated inputs to everything that reads untrusted input.
#
#   test/fuzz/run.sh                            each fuzzer for a minute
#   test/fuzz/run.sh --seconds 14400 text npy   these for four hours each
#   test/fuzz/run.sh --seed 1 text              the same mutations in every run
#
# Needs `cmake --build build --target fuzzers`, and the same for build-fuzz
# (preset `fuzz`). The inputs learnt by earlier runs and the findings are in
# build/fuzz. Ends with a line per fuzzer and status 1 if one found a fault.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2

seconds=60
seed=0 # a random seed
while [[ "${1:-}" = --* ]]; do
  case "$1" in
  --seconds) seconds=$2 ;;
  --seed) seed=$2 ;;
  *)
    echo "error: no option '$1', expected --seconds or --seed" >&2
    exit 2
    ;;
  esac
  shift 2
done
[ $# -gt 0 ] || set -- text scan library checkpoint npy records images data

# seeds <fuzzer> <directory>: copies the fuzzer's inputs among the tests.
seeds() {
  case "$1" in
  text | scan)
    local file
    for file in test/bad/*.mlir test/dialects/tg/*.mlir test/compiler/transforms/*.mlir examples/mlir/*.mlir; do
      awk -v RS='// -----\n' -v name="$2/$(basename "$file" .mlir)" \
        '{ out = name "-" NR ".mlir"; printf "%s", $0 > out; close(out) }' "$file"
    done
    ;;
  library) cp build-fuzz/test/runtime/line.so build-fuzz/test/runtime/other.so "$2" ;;
  checkpoint) cp test/abi/*/*.safetensors "$2" ;;
  npy) cp test/abi/*/*.npy "$2" ;;
  records | images | data) ;; # those of their corpora alone
  *)
    echo "error: no fuzzer '$1', expected text, scan, library, checkpoint, npy, records, images or data" >&2
    return 2
    ;;
  esac
}

# longest <fuzzer>: prints the maximum size of an input in bytes.
longest() {
  case "$1" in
  library) echo 1000000 ;;
  *) echo 20000 ;;
  esac
}

# fuzz <fuzzer>: runs it and prints the outcome.
fuzz() {
  local work=build/fuzz/$1 program=build-fuzz/bin/fuzz-$1
  [ "$1" = text ] && program=build/bin/fuzz-text
  rm -rf "$work/seeds" && mkdir -p "$work/seeds" "$work/learnt"
  seeds "$1" "$work/seeds" || return 2
  rm -f "$work"/found-*
  "$program" -seed="$seed" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
    -max_len="$(longest "$1")" -artifact_prefix="$work/found-" -print_final_stats=1 \
    "$work/learnt" "$work/seeds" "test/fuzz/corpus/$1" >"$work/log" 2>&1
  local status=$? runs
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  if [ "$status" -eq 0 ]; then
    echo "fuzz-$1: ${runs:-0} inputs, nothing found"
    return 0
  fi
  echo "fuzz-$1: ${runs:-0} inputs, then $(ls "$work"/found-* 2>/dev/null || echo "no input"); see $work/log"
  return 1
}

failed=0
for fuzzer in "$@"; do
  fuzz "$fuzzer" || failed=1
done
exit $failed
