#!/bin/bash
# Installs the packages of a directory into bare Debian 12 systems and trains
# networks there. Prints each command and the seconds that it took. Needs root
# and a mirror of Debian.
#
#   try.sh <directory of packages> <archive of a bare system, made if missing>
set -euo pipefail
. "$(dirname "$0")/../dev/answer.sh"

if [ $# -ne 2 ] || [ "$(id -u)" -ne 0 ]; then
  echo "usage: try.sh <packages> <archive>, as root" >&2
  exit 2
fi
packages=$(realpath "$1") archive=$(realpath -m "$2")
here=$(dirname "$(realpath "$0")")
work=$(dirname "$archive")/try

# Prints the apt sources of this machine that Debian 12 and its security updates
# come from.
sources() {
  apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' |
    grep -E ' bookworm(-security)? main$' | sort -u
}

# Makes the archive: the smallest system that has apt, with security updates.
makeSystem() {
  local mirror
  echo "== Making a bare Debian 12"
  rm -rf "$work" && mkdir -p "$work"
  mirror=$(sources | sed -n 's/^deb \(.*\) bookworm main$/\1/p' | head -1)
  if [ -z "$mirror" ] || ! sources | grep -q -- -security; then
    echo "error: expected apt sources with bookworm and bookworm-security, found:" >&2
    sources >&2
    exit 1
  fi
  debootstrap --variant=minbase bookworm "$work" "$mirror" >"$archive.log" || {
    tail -20 "$archive.log"
    exit 1
  }
  sources >"$work/etc/apt/sources.list"
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
