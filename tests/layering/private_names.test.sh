#!/usr/bin/env bash
# No private name hides a public one, because sources compile in unity groups. The check detects a clash made here.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v python3 >/dev/null || { echo "skipped: python3 is missing"; exit 77; }
python3 "$root/tests/layering/private_names.py" "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cli/text" && cp "$root"/cli/text/columns.* "$work/cli/text/"
printf 'namespace {\n\nstd::string number(double value) {\n}\n\n}  // namespace\n' >"$work/cli/other.cpp"
if python3 "$root/tests/layering/private_names.py" "$work" >"$work/out"; then
  echo "FAILED: a private number() beside a public one goes unnoticed"
  exit 1
fi
grep -q 'cli/other.cpp: number is also in cli/text/columns.hpp' "$work/out"
