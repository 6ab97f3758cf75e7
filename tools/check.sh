#!/bin/bash
# Installs missing packages, builds, runs every test and ends with the totals.
#
#   tools/check.sh           everything: lit, GoogleTest, examples, sanitizers, fuzzers, package
#   tools/check.sh --quick   only lit and GoogleTest from build/, without tests
#                            that are marked as long: under 3 minutes
set -uo pipefail
. "$(dirname "$0")/dev/answer.sh"
cd "$(dirname "$0")/.." || exit 1

quick=false
case "${1:-}" in
'') ;;
--quick) quick=true ;;
*)
  echo "usage: tools/check.sh [--quick], found $1; see --help" >&2
  exit 2
  ;;
esac

passed=0 failed=0 skipped=0
jobs=$(nproc)
llvm=/usr/lib/llvm-22/bin

# say <step>: prints the next step and the elapsed time.
say() {
  printf '== %s (after %d s)\n' "$1" "$SECONDS"
}

# Prints the totals as the last line and exits.
finish() {
  local line="$passed passed, $failed failed"
  [ "$skipped" -eq 0 ] || line+=", $skipped skipped"
  echo "$line"
  [ "$failed" -eq 0 ]
  exit
}

# count <results>: adds the results of lit or ctest; no results are a failure.
count() {
  local counts
  counts=$(python3 tools/dev/count-results.py "$1") || counts="0 1 0"
  set -- $counts
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# build <preset> <directory> [<cmake's options...>]: a failing build ends the
# check.
build() {
  say "Building $2"
  mkdir -p "$2"
  if ! cmake --preset "$1" >"$2/configure.log" 2>&1; then
    tail -30 "$2/configure.log"
  elif cmake --build "$2" "${@:3}" -- --quiet; then
    return
  fi
  echo "error: $2 could not be built" >&2
  failed=$((failed + 1))
  finish
}

# runCtest <directory> <ctest's options...>
runCtest() {
  local results=$PWD/$1/ctest.xml
  rm -f "$results"
  ctest --test-dir "$1" -j"$jobs" --output-on-failure --output-junit "$results" \
    --test-output-size-passed 1000000 \
    "${@:2}" | grep -vE '^ *(Start +[0-9]+:|[0-9]+/[0-9]+ Test .* Passed)'
  # Tests that this CPU cannot run pass, and print that they were skipped.
  grep -oE '[0-9]+ rows not run on [^<]*|\[  SKIPPED \] [0-9]+ tests?' "$results"
  count "$results"
}

# runLit <lit's options...>
runLit() {
  say "lit"
  rm -f build/lit.json
  "$llvm/lit" -j"$jobs" -q -v --output build/lit.json \
    --param build="$PWD/build" --param llvm="$llvm" "$@" test
  count build/lit.json
}

bash tools/install-dependencies.sh || exit 1
build dev build
bash tools/dev/make-environment.sh tools/dev/event-readers.txt build/event-readers || failed=$((failed + 1))
bash tools/dev/make-environment.sh tools/docs/requirements.txt build/docs-python || failed=$((failed + 1))
bash tools/dev/make-python.sh build/python || failed=$((failed + 1))
if $quick; then
  runLit --param quick
  say "GoogleTest"
  runCtest build -E '^lit$' -LE full
  finish
fi
runLit
say "GoogleTest, examples and package"
runCtest build -E '^lit$'
build asan build-asan
say "Sanitizers"
runCtest build-asan
build fuzz build-fuzz --target fuzzers
say "Fuzzers"
runCtest build-fuzz -R '^fuzz-.*-corpus$'
# Short and with one seed, so that results depend on the tree alone; longer
# searches are run on demand.
fuzzers=(text scan library checkpoint npy records images data)
found=$(printf '%s\n' "${fuzzers[@]}" | xargs -P "$jobs" -n 1 test/fuzz/run.sh --seconds 20 --seed 1)
echo "$found"
clean=$(grep -c ' inputs, nothing found$' <<<"$found")
passed=$((passed + clean)) failed=$((failed + ${#fuzzers[@]} - clean))
say "Style"
if ! git ls-files >/dev/null 2>&1; then
  echo "not a git checkout: the style is not checked"
elif bash tools/dev/check-style.sh; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
fi
finish
