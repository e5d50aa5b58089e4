#!/usr/bin/env bash
# Every C++ file, and every C file of points/, is as clang-format 14 with the project's .clang-format leaves it. Other
# versions format some lines differently, so where that one is not installed, it is taken from PyPI into the build folder.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../.."
pinned=14.0.6 wheel=$build/clang-format

formats_as_pinned() { "$1" --version 2>/dev/null | grep -qw "version ${pinned%%.*}"; }

for formatter in clang-format-14 clang-format "$wheel/clang_format/data/bin/clang-format"; do
  formats_as_pinned "$formatter" && break
done
if ! formats_as_pinned "$formatter"; then
  python3 -m pip install --quiet --no-deps --only-binary :all: --target "$wheel" "clang-format==$pinned" >"$build/clang-format.log" 2>&1 ||
    { echo "skipped: clang-format 14 is missing (package clang-format-14) and cannot be had from PyPI: $(tail -n 1 "$build/clang-format.log")"; exit 77; }
fi
find base kernels machines model bench points kmaf plots mpi cli tests -name '*.cpp' -o -name '*.hpp' -o -path 'points/*.[ch]' | xargs "$formatter" --dry-run -Werror
