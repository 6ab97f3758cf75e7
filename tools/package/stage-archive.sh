#!/bin/bash
# Completes the tree of the archive that CPack has installed below a directory:
# adds the shared libraries that its programs need, but for those of the C and
# C++ compilers, which every system has.
#
#   stage-archive.sh <directory>   with SOURCE_DATE_EPOCH
set -euo pipefail
. "$(dirname "$0")/../dev/answer.sh"
cd "$1"

# Prints the path of each library to carry that the programs and libraries need.
needed() {
  find bin lib -type f \( -path 'bin/*' -o -name '*.so.*' \) -exec ldd {} + 2>/dev/null |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE "^$PWD/|/(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so"
}

needed | while IFS= read -r library; do
  cp -L "$library" lib/
  name=lib/${library##*/}
  chmod 755 "$name"
  patchelf --set-rpath '$ORIGIN' "$name"
  # Packages name files of /usr/lib also as files of /lib.
  path=$(realpath "$library")
  package=$({ dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null | cut -d: -f1)
  mkdir -p share/doc/tgc/licenses
  cp -L "/usr/share/doc/$package/copyright" "share/doc/tgc/licenses/$package"
done
find . -type d -exec chmod 755 {} +
find . -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
