#!/bin/bash
# Completes the trees of the Debian packages that CPack has installed below a
# directory: one tree per group of components.
#
#   stage-deb.sh <directory>   with TG_VERSION, TG_CONTACT, SOURCE_DATE_EPOCH
set -euo pipefail
. "$(dirname "$0")/../dev/answer.sh"
cd "$1"
here=$(dirname "$(realpath "$0")")
declare -A packages=([runtime]=tgc-runtime [compiler]=tgc)
date=$(date -R -u -d "@$SOURCE_DATE_EPOCH")

# Headers of data sets are in the package that has their library.
rm -rf runtime/usr/include/tg/data
# The compiler package depends on the runtime package and has none of its files.
(cd runtime && find . -type f -o -type l) | while IFS= read -r file; do
  rm -f "compiler/$file"
done

for group in "${!packages[@]}"; do
  package=${packages[$group]} documents=$group/usr/share/doc
  mkdir -p "$documents/tgc" "$group/usr/share/lintian/overrides"
  [ "$package" = tgc ] || mv "$documents/tgc" "$documents/$package"
  rm -f "$documents/$package/LICENSE"
  cat "$here/copyright" >"$documents/$package/copyright"
  cat "$here/$package.lintian-overrides" >"$group/usr/share/lintian/overrides/$package"
  printf 'tgc (%s) bookworm; urgency=medium\n\n  * Release %s. CHANGELOG.md.gz names its changes.\n\n -- %s  %s\n' \
    "$TG_VERSION" "$TG_VERSION" "$TG_CONTACT" "$date" >"$documents/$package/changelog"
  find "$group/usr" -path '*/share/man/*' -type f ! -name '*.gz' -exec gzip -9n {} +
  cp "$here/../../CHANGELOG.md" "$documents/$package/CHANGELOG.md"
  gzip -9nf "$documents/$package/changelog" "$documents/$package/CHANGELOG.md"
  find "$group" -name '*.a' -exec strip --strip-debug --remove-section=.comment \
    --remove-section=.note --enable-deterministic-archives {} +
  find "$group" -type d -empty -delete
  find "$group" -type f -perm /111 -exec chmod 755 {} +
  find "$group" -type f ! -perm /111 -exec chmod 644 {} +
  find "$group" -name '*.so.*' -type f -exec chmod 644 {} +
  find "$group" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
done
