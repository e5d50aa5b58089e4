#!/usr/bin/env bash
# CMakeLists.txt, CITATION.cff, the changelog and the last tag name the same version.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^project(gable VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || { echo "FAILED: CMakeLists.txt names no version"; exit 1; }

# same NAME VERSION
same() { [ "$2" = "$version" ] || { echo "FAILED: $1 has version '$2', CMakeLists.txt $version"; exit 1; }; }

same CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
same CHANGELOG.md "$(sed -n 's/^## \[\([0-9][^]]*\)\] - [0-9]*-[0-9]*-[0-9]*$/\1/p' CHANGELOG.md | head -1)"
# A tree that was unpacked or cloned without tags has only the files to agree.
tag=$([ -e .git ] && git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null) || { echo "$version; no tag is known here"; exit 0; }
same "git describe" "${tag#v}"
echo "$version, $(git describe --tags --match 'v[0-9]*')"
