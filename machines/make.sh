#!/bin/bash
# Regenerates the published machines: machines/make.sh [GABLE [FOLDER]] (default: build/gable, in place).
# Needs hwloc's tools (package hwloc) and python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gable=$(realpath "${1:-$here/../build/gable}")
target=$(realpath -m "${2:-$here}")
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
for script in "$here"/*/make.py; do
  name=$(basename "$(dirname "$script")")
  python3 "$script" "$target/$name" "$gable"
done
