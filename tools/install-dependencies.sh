#!/bin/bash
# Installs the missing Debian packages that building and testing need, and those
# that are named as arguments. With --build as the first argument, it leaves out
# those that only tests and documents need.
#
#   tools/install-dependencies.sh [--build] [<package>...]
set -euo pipefail
. "$(dirname "$0")/dev/answer.sh"

packages=(
  clang-22 lld-22 llvm-22-dev liblld-22-dev libmlir-22-dev mlir-22-tools
  cmake ninja-build ccache pkgconf git python3 python3-dev python3-venv
  libeigen3-dev libgtest-dev libgmock-dev nlohmann-json3-dev libdlpack-dev libpng-dev
  libjpeg62-turbo-dev libturbojpeg0-dev
  libgd-dev libisal-dev libprotozero-dev zlib1g-dev libarchive-dev libcsv-dev liblmdb-dev)

if [ "${1-}" = --build ]; then
  shift
else
  packages+=(llvm-22-tools libclang-rt-22-dev gdb python3-pygments doxygen)
  # Pages are tested in a browser, the language server in an editor, completion in
  # shells. Tests of a package that the apt sources do not have are skipped.
  for package in chromium-headless-shell neovim zsh fish; do
    if apt-cache show "$package" >/dev/null 2>&1; then
      packages+=("$package")
    fi
  done
fi
packages+=("$@")

isInstalled() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

missing=()
for package in "${packages[@]}"; do
  isInstalled "$package" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

asRoot=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "error: need root or sudo to install: ${missing[*]}" >&2
    exit 1
  fi
  asRoot=(sudo)
fi
aptGet() {
  "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"
}

echo "Installing ${missing[*]}"
aptGet update || echo "warning: the package lists could not be renewed" >&2

unknown=()
for package in "${missing[@]}"; do
  apt-cache show "$package" >/dev/null 2>&1 || unknown+=("$package")
done
if [ ${#unknown[@]} -gt 0 ]; then
  echo "error: the configured apt sources do not have: ${unknown[*]}" >&2
  echo "Debian 12 has LLVM 22 among its security updates: add the suite bookworm-security to the apt sources, then run this again." >&2
  exit 1
fi
if ! aptGet install -y --no-install-recommends "${missing[@]}" >/dev/null; then
  echo "error: apt-get could not install: ${missing[*]}" >&2
  exit 1
fi
