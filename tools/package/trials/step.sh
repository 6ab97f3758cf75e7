# Sourced by the trials: prints commands and seconds.
set -euo pipefail
cd /root
total=0

# step <command>: runs a command, as a user types it, and prints its seconds.
step() {
  local start=$EPOCHREALTIME
  if ! bash -c "$1" >/root/step.log 2>&1; then
    tail -20 /root/step.log
    echo "error: failed: $1" >&2
    exit 1
  fi
  local micros=$((${EPOCHREALTIME/./} - ${start/./}))
  total=$((total + micros))
  printf '%6.1f s  %s\n' "$(printf '%d.%06d' $((micros / 1000000)) $((micros % 1000000)))" "$1"
}

# shows <pattern>: fails unless the last step has printed the pattern.
shows() {
  grep -qE -- "$1" /root/step.log || {
    cat /root/step.log
    echo "error: expected output with '$1'" >&2
    exit 1
  }
}

# Prints the seconds of all steps.
finish() {
  printf '%6.1f s  in all\n' "$(printf '%d.%06d' $((total / 1000000)) $((total % 1000000)))"
}
