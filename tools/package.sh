#!/bin/bash
# Makes the packages of the last commit: two Debian packages, an archive and a
# wheel. Two runs make the same bytes, in any directory, with or without ccache:
# SHA256SUMS shows it.
#
#   tools/package.sh                  writes them to build/packages
#   tools/package.sh --output DIR     writes them to DIR
#   tools/package.sh --try            installs each into a bare Debian 12, too,
#                                     and trains there; needs root
set -euo pipefail
. "$(dirname "$0")/dev/answer.sh"
cd "$(dirname "$0")/.."

usage="usage: tools/package.sh [--output DIR] [--try]"
output=build/packages try=false
while [ $# -gt 0 ]; do
  case "$1" in
  --output) output=${2:?"$usage"} && shift ;;
  --try) try=true ;;
  *) echo "$usage, found $1; see --help" >&2 && exit 2 ;;
  esac
  shift
done
if $try && [ "$(id -u)" -ne 0 ]; then
  echo "error: --try needs root, because it installs a system into a directory; found user $(id -un)" >&2
  exit 1
fi
if ! SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null); then
  echo "error: packages are made of a commit; found no git checkout" >&2
  exit 1
fi
# dpkg-shlibdeps follows the order of Perl's hashes.
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC PERL_HASH_SEED=0
umask 022
contact="${DEBFULLNAME:-$(git log -1 --format=%an)} <${DEBEMAIL:-$(git log -1 --format=%ae)}>"
if [ -n "$(git status --porcelain)" ]; then
  echo "warning: packages have the last commit, without uncommitted changes" >&2
fi

bash tools/install-dependencies.sh dpkg-dev file lintian patchelf

# The commit alone, whatever else lies in the checkout.
source=$PWD/build/package/source
rm -rf "$source"
mkdir -p "$source" "$output"
output=$(realpath "$output")
git archive HEAD | tar -x -C "$source"
cd "$source"

echo "== Building (after $SECONDS s)"
# Paths are relative to the tree, also where ccache has made them relative to
# the build, and ccache shares objects between trees. It does not look at the
# maps of paths, so objects with other maps are kept apart.
map="-ffile-prefix-map=$source=. -ffile-prefix-map=..=."
export CCACHE_IGNOREOPTIONS="-ffile-prefix-map=/*" CCACHE_NAMESPACE=tgc-package
if ! cmake --preset release -DBUILD_TESTING=OFF -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON \
  -DCMAKE_C_FLAGS="$map" -DCMAKE_CXX_FLAGS="$map" -DCMAKE_INSTALL_DOCDIR=share/doc/tgc \
  -DTG_ARCHIVE_LEVELS=v2,v3,v4 -DTG_PACKAGE_CONTACT="$contact" >configure.log 2>&1; then
  tail -30 configure.log
  exit 1
fi
cmake --build build-release --target installed -- --quiet
cmake --build build-release --target kernel-archive

echo "== Packing (after $SECONDS s)"
cpack -G "DEB;TXZ" --config build-release/CPackConfig.cmake -B build-release >pack.log 2>&1 || {
  tail -30 pack.log
  exit 1
}
rm -f "$output"/tgc*_amd64.deb "$output"/tgc-*-linux.tar.xz "$output"/tgc-*.whl
mv build-release/tgc*_amd64.deb build-release/tgc-*-linux.tar.xz "$output"
bash tools/dev/make-python.sh "$source/../python"
cp "$source"/../python/wheels/tgc-*.whl "$output"
cd "$output"
lintian --fail-on error ./*.deb
sha256sum tgc* >SHA256SUMS
# atMost <bytes> <file>: fails if a package has become too large.
atMost() {
  local bytes
  bytes=$(wc -c <"$2")
  echo "$bytes bytes  $2"
  [ "$bytes" -le "$1" ] || {
    echo "error: expected at most $1 bytes" >&2
    exit 1
  }
}
atMost 500000 tgc-runtime_*.deb
atMost 60000000 tgc_*.deb
atMost 1000000 tgc-*.whl
wc -c tgc-*.tar.xz
echo "Packages are in $output (after $SECONDS s)"

if $try; then
  bash "$source/tools/package/try.sh" "$output" "$source/../bookworm.tar"
fi
