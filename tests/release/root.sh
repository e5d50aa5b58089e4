# Sourced: roots of other Debian releases, made from the packages of this machine's Debian mirror.

# Exit status 77 where this machine cannot make or enter such a root.
needs_for_roots() {
  [ "$(id -u)" = 0 ] || { echo "skipped: this needs root"; exit 77; }
  command -v debootstrap >/dev/null || { echo "skipped: debootstrap is missing (package debootstrap)"; exit 77; }
  unshare --mount --pid --fork true 2>/dev/null || { echo "skipped: no new mounts may be made here"; exit 77; }
  mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
  [ -n "$mirror" ] || { echo "skipped: this machine has no Debian mirror in its lists of packages (apt-get update)"; exit 77; }
}

# make_root RELEASE FOLDER
make_root() {
  local release=$1 root=$2
  # A release is made as Debian's next one is, unless debootstrap knows it better.
  local script=sid
  [ ! -e "/usr/share/debootstrap/scripts/$release" ] || script=$release
  rm -rf "$root"
  # In its own mounts, so that a failure leaves none behind.
  unshare --mount debootstrap --variant=minbase "$release" "$root" "$mirror" "$script" >"$root.log" 2>&1 || { tail "$root.log"; return 1; }
  take_apt "$release" "$root"
  take_network "$root"
}

# This machine's Debian sources for the other release, and how it fetches them: proxies, certificates, keys.
take_apt() {
  local release=$1 root=$2 codename file
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  rm -f "$root/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] && grep -qw "$codename" "$file" || continue
    sed "s/\b$codename\b/$release/g" "$file" >"$root/etc/apt/sources.list.d/${file##*/}"
  done
  apt-config dump | grep '^Acquire::' | grep -vE '^Acquire::(IndexTargets|CompressionTypes|cdrom)' >"$root/etc/apt/apt.conf.d/90acquire"
  cp -r /etc/apt/auth.conf.d "$root/etc/apt/" 2>/dev/null || true
  { grep -ohE '/[^" ]+' -r "$root/etc/apt/sources.list.d" "$root/etc/apt/apt.conf.d/90acquire" || true; } | sort -u |
    while read -r file; do [ ! -f "$file" ] || [ -e "$root$file" ] || install -D -m 644 "$file" "$root$file"; done
}

# Names, certificates and pip's settings; variables such as http_proxy are passed on to every command.
take_network() {
  local path
  for path in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs /usr/local/share/ca-certificates; do
    [ -e "$path" ] || continue
    rm -rf "$1$path"
    mkdir -p "$1${path%/*}"
    cp -rL "$path" "$1$path"
  done
}

# inside FOLDER COMMAND...: runs it in the root. The mounts, and whatever it started, end with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -c '
    set -e
    mount --bind "$1" "$1"
    cd "$1"
    shift
    mount --rbind /dev dev
    mount --rbind /sys sys
    mount -t proc proc proc
    pivot_root . mnt
    umount --lazy mnt
    "$@"' inside "$@"
}
