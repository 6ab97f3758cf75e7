#!/bin/bash
# Prints the sizes of the source files and the violations of the house style.
#
# The sizes are a guide (aim at 250 lines, ask at 400, split at 600). The status
# is 1 for lines that are too long (tables of tests may be), notes of unfinished
# work, comments that begin with words such as What, messages that do not say
# what was found, directories of sources without a README or with more than 30
# sources.
#
#   tools/dev/check-style.sh
set -euo pipefail
. "$(dirname "$0")/answer.sh"
cd "$(dirname "$0")/../.."

mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.td')
if [ ${#sources[@]} -eq 0 ]; then
  echo "error: no source file is tracked" >&2
  exit 1
fi

wc -l -- "${sources[@]}" | awk '
  $2 == "total" { next }
  {
    split($2, part, "/")
    top = part[1]
    files[top]++; lines[top] += $1
    if ($1 > 250) aim[top]++
    if ($1 > 400) ask[top]++
    if ($1 > 600) cut[top]++
    if ($1 > most[top]) { most[top] = $1; name[top] = $2 }
  }
  END {
    printf "%-10s %6s %7s %5s %5s %5s  %s\n", "directory", "files", "lines", ">250", ">400", ">600", "longest"
    for (top in files)
      printf "%-10s %6d %7d %5d %5d %5d  %s %d\n", top, files[top], lines[top],
             aim[top], ask[top], cut[top], name[top], most[top] | "sort"
  }'

status=0
# complain <what>: reports the locations that it reads from stdin.
complain() {
  local locations
  locations=$(cat)
  [ -n "$locations" ] || return 0
  echo "$1:"
  echo "$locations"
  status=1
}

complain "more than 80 columns" < <(
  printf '%s\n' "${sources[@]}" | grep -E '\.(c|h|cpp|hpp)$' | grep -vE '^(examples/embed|test)/' |
    xargs awk '{ text = $0; gsub(/[\x80-\xbf]/, "", text) }
               length(text) > 80 && text !~ /https?:/ { print FILENAME ":" FNR }')
complain "unfinished work" < <(
  grep -nE '\b(TODO|FIXME|XXX)\b' -- "${sources[@]}" || true)
complain "no README.md" < <(
  printf '%s\n' "${sources[@]}" | xargs -n1 dirname | sort -u |
    while read -r directory; do
      # The README one directory up describes fixtures and helpers.
      above=${directory%/Inputs}/..
      [ -f "$directory/README.md" ] || [ -f "$above/README.md" ] || echo "$directory"
    done)
# A comment begins with a verb or a noun: "Returns true if", "The number of".
complain "comments that begin with What, Whether, How, Of, Those, Such or Where" < <(
  awk 'FNR == 1 { follows = 0 }
       !follows && /^([^"]*[;{},])?[ \t]*(\/\/\/?<?|\/\*+)[ \t]*(What|Whether|How|Of|Those|Such|Where)[^A-Za-z]/ {
         print FILENAME ":" FNR ": " $0
       }
       { follows = /^[ \t]*(\/\/|\*)/ }' "${sources[@]}")
complain "messages that do not say what was found" < <(
  python3 -B tools/dev/count-messages.py || echo "count-messages.py: status $?")
# The scenarios are a collection of similar programs.
complain "more than 30 sources in one directory" < <(
  printf '%s\n' "${sources[@]}" | xargs -n1 dirname | sort | uniq -c |
    awk '$1 > 30 && $2 != "examples/scenarios" { print $2 ": " $1 }')
exit $status
