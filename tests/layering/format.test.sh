#!/usr/bin/env bash
# Every C++ file is as clang-format 14 with the project's .clang-format leaves it.
set -euo pipefail
cd "$(dirname "$0")/../.."
for name in clang-format-14 clang-format; do
  if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then formatter=$name; fi
done
[ -n "${formatter:-}" ] || { echo "skipped: clang-format 14 is missing (package clang-format-14)"; exit 77; }
find base kernels machines model bench points kmaf plots mpi cli tests -name '*.cpp' -o -name '*.hpp' | xargs "$formatter" --dry-run -Werror
