#!/usr/bin/env bash
# libraries.sh PROGRAM ROOT: the libraries that a cross-built program loads, and what these load, each with its package as
# packaging/cross/sysroot.sh unpacked it into ROOT: "PATH PACKAGE".
set -euo pipefail

root=$2
declare -A seen
waiting=("$1")
while [ ${#waiting[@]} -gt 0 ]; do
  file=${waiting[0]}
  waiting=("${waiting[@]:1}")
  for name in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    [ -z "${seen[$name]:-}" ] || continue
    seen[$name]=1
    path=$(find "$root/lib" "$root/usr/lib" -name "$name" -print -quit)
    [ -n "$path" ] || { echo "$name is not in $root" >&2; exit 1; }
    waiting+=("$path")
    echo "$path $(awk -v name="$name" '$2 == name { print $1; exit }' "$root/packages")"
  done
done
