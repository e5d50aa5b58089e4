#!/usr/bin/env bash
# Every C++ file is as clang-format 14 with the project's .clang-format leaves it.
set -euo pipefail
cd "$(dirname "$0")/../.."
clang-format --version 2>/dev/null | grep -q 'version 14\.' || { echo "skipped: clang-format 14 is missing (package clang-format)"; exit 77; }
find base kernels machines model bench points kmaf cli tests -name '*.cpp' -o -name '*.hpp' | xargs clang-format --dry-run -Werror
