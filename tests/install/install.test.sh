#!/usr/bin/env bash
# The Debian package, unpacked into an empty root, and `cmake --install` into a folder: both do the main job from there,
# and compilers find the header for marked regions.
source "$(dirname "$0")/../cli/expect.sh" "$1"
build=$(realpath "$1")
root=$(cd "$here/../.." && pwd)
needs cmake cpack dpkg-deb dpkg-shlibdeps file python3 gnuplot pkg-config

version=$(sed -n 's/^project(gable VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
(cd "$work" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/made") >"$work/out" 2>&1 || fail "cpack: $(cat "$work/out")"
package=$work/made/gable_${version}_amd64.deb
dpkg-deb -x "$package" "$work/root" || fail "no package: $(ls "$work/made")"
cmake --install "$build" --prefix "$work/prefix" >"$work/out" || fail "cmake --install: $(cat "$work/out")"

# What the package says of itself.
says() { dpkg-deb -f "$package" "$1"; }
[ "$(says Package) $(says Version) $(says Architecture)" = "gable $version amd64" ] || fail "its name: $(dpkg-deb -f "$package")"
grep -q 'libc6 (>=.*libhwloc15 (>=' <<<"$(says Depends)" || fail "it depends on: $(says Depends)"
grep -q "^version: $version$" "$root/CITATION.cff" || fail "CITATION.cff is of another version"
"$gable" --version >"$work/version"
[ "$(head -1 "$work/version")" = "gable $version" ] || fail "gable --version begins with another line: $(cat "$work/version")"

# Both have the same files; none of the tests, none of a machine that was recorded here, and no link into the build.
same=$(diff <(cd "$work/root/usr" && find . -type f | sort) <(cd "$work/prefix" && find . -type f | sort)) || fail "package and installation differ: $same"
own=$(cd "$root/machines" && ls -d */make.py measured/*/machine.json 2>/dev/null | xargs -n1 dirname | sort)
installed=$(cd "$work/prefix/share/gable/machines" && ls -d */machine.json measured/*/machine.json 2>/dev/null | xargs -n1 dirname | sort)
[ "$installed" = "$own" ] || fail "other machines than the published and the measured ones: $installed"
grep -rlIE -e "(^|[^[:alnum:]_./}~-])$root(/|$|[^[:alnum:]_.-])" "$work/root" "$work/prefix" >"$work/out" && fail "these name the source folder: $(cat "$work/out")"

# Manual pages of every command, and completion.
for page in gable gable-measure gable-point-add; do
  zcat "$work/root/usr/share/man/man1/$page.1.gz" | grep -q '^\.TH' || fail "no manual page $page"
done
bash -n "$work/root/usr/share/bash-completion/completions/gable" || fail "the completion of bash is no script"
head -1 "$work/root/usr/share/zsh/vendor-completions/_gable" | grep -q '^#compdef gable' || fail "no completion of zsh"

# A page of the installed documents links to nothing that is not there.
links=$(cd "$work/prefix/share/doc/gable" && find README.md docs -name '*.md' | while read -r page; do
  tr '\n' ' ' <"$page" | grep -oE '\]\([^)# ]+[^)]*\)' | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http' | while read -r target; do
    [ -z "$target" ] || [ -e "$(dirname "$page")/$target" ] || echo "$page: $target"
  done
done)
[ -z "$links" ] || fail "broken links: $links"

# The main job, without the environment and from another folder.
main_job() {  # program folder
  local run="env -i PATH=/usr/bin:/bin HOME=$work $1"
  mkdir -p "$2" && cd "$2" || return
  $run show joe0 >"$work/out" 2>&1 || fail "$1 show joe0: $(cat "$work/out")"
  grep -q 'DRAM loads' "$work/out" || fail "$1 show joe0 has no bandwidth: $(cat "$work/out")"
  $run measure here --preset quick --only op=fma,precision=dp --quiet >"$work/out" 2>&1 || fail "$1 measure: $(cat "$work/out")"
  $run fit here >"$work/out" 2>&1 || fail "$1 fit: $(cat "$work/out")"
  cp -r "$root/machines/joe0" "$2/joe" && $run plot joe --format svg >"$work/out" 2>&1 || fail "$1 plot: $(cat "$work/out")"
  [ -s joe/charts/larm-0.svg ] || fail "$1 plot drew nothing"
  if [ -d "$build/libexec/gable/valgrind" ]; then
    $run point run here --name true --cluster 0 --counter valgrind -- /bin/true >"$work/out" 2>&1 || fail "$1 point run: $(cat "$work/out")"
  fi
  cd "$work" || exit 1
}
main_job "$work/root/usr/bin/gable" "$work/from_package"
main_job "$work/prefix/bin/gable" "$work/from_prefix"

# The header.
cat >"$work/app.c" <<'END'
#include <gable-marker.h>
int main(void) {
  gable_marker_start("sweep");
  gable_marker_stop("sweep");
  return 0;
}
END
export PKG_CONFIG_PATH=$work/root/usr/share/pkgconfig
[ "$(pkg-config --modversion gable)" = "$version" ] || fail "pkg-config has another version"
cc -Wall -Werror $(pkg-config --cflags gable) "$work/app.c" -o "$work/app" $(pkg-config --libs gable) || fail "the header does not compile with pkg-config"
GABLE_MARKER_FILE=$work/marked "$work/app" && grep -q '"sweep"' "$work"/marked.* || fail "the marked program marks nothing"
mkdir "$work/project" && mv "$work/app.c" "$work/project/"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(app LANGUAGES C)
find_package(Gable 0.1 REQUIRED)
add_executable(app app.c)
target_link_libraries(app PRIVATE Gable::marker)
END
{ cmake -S "$work/project" -B "$work/project/build" -DCMAKE_PREFIX_PATH="$work/prefix" && cmake --build "$work/project/build"; } >"$work/out" 2>&1 ||
  fail "find_package(Gable): $(cat "$work/out")"

[ $failures -eq 0 ] && echo "installed, packed and used: $(du -h "$package" | cut -f1)"
exit $((failures > 0))
