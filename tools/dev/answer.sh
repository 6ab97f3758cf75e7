# Answers --help and --version of a script of tools and ends it. A script sources
# this file first. Its help is the comment at its beginning.
for argument in "$@"; do
  case "$argument" in
  --help)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
    exit
    ;;
  --version)
    echo "${0##*/} of tgc $(sed -n 's/^project(.* VERSION \([0-9.]*\) .*/\1/p' \
      "$(dirname "${BASH_SOURCE[0]}")/../../CMakeLists.txt")"
    exit
    ;;
  esac
done
