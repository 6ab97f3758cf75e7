#!/bin/bash
# Installs the packages of a directory into bare Debian 12 systems and trains
# networks there. Prints each command and the seconds that it took. Needs root
# and a mirror of Debian.
#
#   try.sh <directory of packages> <archive of a bare system, made if missing>
set -euo pipefail

if [ $# -ne 2 ] || [ "$(id -u)" -ne 0 ]; then
  echo "usage: try.sh <packages> <archive>, as root" >&2
  exit 2
fi
packages=$(realpath "$1") archive=$(realpath -m "$2")
here=$(dirname "$(realpath "$0")")
work=$(dirname "$archive")/try
mirror=${DEBIAN_MIRROR:-http://deb.debian.org}

# Makes the archive: the smallest system that has apt, with security updates.
makeSystem() {
  echo "== Making a bare Debian 12"
  rm -rf "$work" && mkdir -p "$work"
  debootstrap --variant=minbase bookworm "$work" "$mirror/debian" >"$archive.log" || {
    tail -20 "$archive.log"
    exit 1
  }
  printf 'deb %s bookworm main\n' "$mirror/debian" >"$work/etc/apt/sources.list"
  printf 'deb %s bookworm-security main\n' "$mirror/debian-security" >>"$work/etc/apt/sources.list"
  chroot "$work" apt-get clean
  tar -C "$work" -cf "$archive" .
}

# try <name>: runs name.sh of this directory in a new bare system, which has
# the packages in /packages.
try() {
  echo "== $1"
  rm -rf "$work" && mkdir -p "$work"
  tar -C "$work" -xf "$archive"
  mkdir "$work/packages"
  cp "$packages"/tgc* "$here/trials/"* "$work/packages"
  cp /etc/resolv.conf "$work/etc/"
  unshare --mount --pid --fork bash -c "
    mount --bind /dev '$work/dev' && mount -t proc proc '$work/proc' &&
    exec chroot '$work' env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive bash /packages/$1.sh"
  rm -rf "$work"
}

[ -e "$archive" ] || makeSystem
trials=(runtime compiler archive wheel)
for trial in "${trials[@]}"; do
  try "$trial"
done
