#!/usr/bin/env bash
# package.test.sh BUILD EMULATOR...: the Debian package is of the other architecture and its program runs from where it is
# unpacked; every library that a bundle copies has its notice.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
emulator=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v dpkg-deb >/dev/null || { echo 'skipped: dpkg-deb is missing (package dpkg)'; exit 77; }

"$root/packaging/cross/libraries.sh" "$build/gable" "$build/sysroot/root" >"$work/libraries"
while read -r library package; do
  [ -f "$build/sysroot/root/usr/share/doc/$package/copyright" ] || { echo "FAILED: $library: no notice of '$package'"; exit 1; }
done <"$work/libraries"
grep -q '/ld-linux-aarch64' "$work/libraries" || { echo 'FAILED: no loader'; exit 1; }

(cd "$build" && cpack -G DEB -B "$work" >"$work/cpack") || { cat "$work/cpack"; exit 1; }
deb=$(ls "$work"/gable_*.deb)
[ "$(dpkg-deb -f "$deb" Architecture)" = arm64 ] || { echo "FAILED: it is for $(dpkg-deb -f "$deb" Architecture)"; exit 1; }
dpkg-deb -x "$deb" "$work/unpacked"
"${emulator[@]}" "$work/unpacked/usr/bin/gable" show grace-superchip >"$work/show"
grep -q 'Neoverse-V2' "$work/show" || { echo 'FAILED: the unpacked program has not its machines'; cat "$work/show"; exit 1; }
