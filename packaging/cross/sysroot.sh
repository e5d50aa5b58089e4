#!/usr/bin/env bash
# sysroot.sh ARCHITECTURE FOLDER [guest]: a folder with the headers and libraries of another Debian architecture (arm64), to
# build against; or, with `guest`, with the kernel and the shell of its emulated machines. It needs no rights and leaves
# this system's packages alone: apt works on lists of its own, and the packages are unpacked, not installed. Exit status 77
# means that they cannot be had here; the last line says why.
set -euo pipefail

architecture=$1
mkdir -p "$2"
folder=$(realpath "$2")
root=$folder/root apt=$folder/apt
packages=(libc6-dev linux-libc-dev libhwloc-dev libnuma-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  libscotch-dev zlib1g-dev libpmem-dev libmemkind-dev libpfm4-dev libgtest-dev valgrind)
# What programs load of what these depend on, whatever its version is called.
loaded='(libc6|libcrypt1|gcc-[0-9]+-base|libgcc-s1|libstdc\+\+6|libhwloc[0-9]+|libudev1|libnuma1|libfmt[0-9]+|libscotch-[0-9.]+[a-z]?|zlib1g'
loaded+='|libpmem1|libmemkind0|libpfm4|libndctl6|libdaxctl1|libkmod2|libuuid1|liblzma5|libbz2-1\.0|libzstd1|libssl3)(t64)?'
if [ "${3:-}" = guest ]; then
  packages=("linux-image-cloud-$architecture" busybox-static hwloc-nox)
  loaded="linux-image-[0-9].*-cloud-$architecture"
fi

unavailable() {
  echo "skipped: no packages of $architecture: $1"
  exit 77
}

[ -f "$root/complete" ] && [ "$root/complete" -nt "$0" ] && exit
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || unavailable "this system has no apt"

rm -rf "$root"
mkdir -p "$root" "$apt/lists/partial" "$apt/cache/archives/partial"
touch "$apt/status"
cat >"$apt/apt.conf" <<TEXT
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Get::List-Cleanup "0";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Debug::NoLocking "1";
TEXT
export APT_CONFIG=$apt/apt.conf
apt-get update -qq 2>"$folder/log" || true  # a source without this architecture is no hindrance
for package in "${packages[@]}"; do
  apt-cache show "$package" >/dev/null 2>&1 || echo "left out: $package (this release has none for $architecture)"
done
mapfile -t packages < <(for package in "${packages[@]}"; do ! apt-cache show "$package" >/dev/null 2>&1 || echo "$package"; done)
recursive=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances "${packages[@]}" 2>>"$folder/log" | grep -Ex "$loaded" | sort -u) || unavailable "$(tail -1 "$folder/log")"
(cd "$apt/cache" && apt-get download -qq "${packages[@]}" $recursive 2>>"$folder/log") ||
  unavailable "$(tail -1 "$folder/log")"
for package in "$apt"/cache/*.deb; do
  dpkg-deb -x "$package" "$root"
  name=$(dpkg-deb -f "$package" Package)
  dpkg-deb --fsys-tarfile "$package" | tar t | sed -n "s|.*/\([^/]*\.so[^/]*\)$|$name \1|p" >>"$root/packages"
done
rm -rf "$apt"
# Packages of releases with a merged /usr have no /lib.
for part in bin lib; do
  [ -e "$root/$part" ] || [ ! -e "$root/usr/$part" ] || ln -s "usr/$part" "$root/$part"
done

# Absolute links would lead out of the folder.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -srfn "$root$(readlink "$link")" "$link"
done
touch "$root/complete"
