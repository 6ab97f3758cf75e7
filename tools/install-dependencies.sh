#!/bin/bash
# Installs the missing Debian packages that building and testing need, and those
# that are named as arguments.
set -euo pipefail

packages=(
  clang-22 lld-22 llvm-22-dev llvm-22-tools liblld-22-dev libclang-rt-22-dev
  libmlir-22-dev mlir-22-tools gdb
  cmake ninja-build ccache pkgconf git python3 python3-dev python3-venv python3-pygments doxygen
  libeigen3-dev libgtest-dev libgmock-dev nlohmann-json3-dev libdlpack-dev libpng-dev
  libjpeg62-turbo-dev libturbojpeg0-dev
  libgd-dev libisal-dev libprotozero-dev zlib1g-dev libarchive-dev libcsv-dev liblmdb-dev
  "$@")

# Pages are tested in a browser. Without this package the tests are skipped.
if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
  packages+=(chromium-headless-shell)
fi

# The language server is tested in an editor, with the same exception.
if apt-cache show neovim >/dev/null 2>&1; then
  packages+=(neovim)
fi

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
