#!/usr/bin/env bash
# both.sh BUILD RELEASE: the README's two commands, from nothing, in a new root of another Debian release. Nothing is
# installed there and nothing is built; the root is kept if a command fails.
set -euo pipefail
build=$(realpath "$1") release=$2
here=$(cd "$(dirname "$0")" && pwd)
source "$here/root.sh"
needs_for_roots
git -C "$here" rev-parse 2>/dev/null || { echo "skipped: this is not a git checkout"; exit 77; }

mkdir -p "$build/release"
root=$build/release/$release
make_root "$release" "$root"
mkdir "$root/gable"
(cd "$here/../.." && git ls-files -z --cached --others --exclude-standard | tar -c --null -T -) | tar -x -C "$root/gable"

for command in ./run.sh './run.sh test'; do
  began=$SECONDS
  echo "--- $release: $command"
  inside "$root" bash -c "cd /gable && $command" || { echo "FAILED: $command in $root"; exit 1; }
  echo "--- $release: $command: $((SECONDS - began)) s"
done
rm -rf "$root"
