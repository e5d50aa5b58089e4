#!/usr/bin/env bash
# The whole job in one command. ./run.sh --help lists what else it does.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

source packaging/packages.sh

usage() {
  cat <<'TEXT'
usage: ./run.sh [DIR] [measure options]   characterize this machine into DIR (default: machines/<host name>):
                                          install what is missing, build, measure, fit, draw, report, show the figures
       ./run.sh build                     build the program: build/gable
       ./run.sh cross aarch64             build the program for another architecture: build-aarch64/gable
       ./run.sh test [--slow] [ctest options]
                                          build and pass the tests; --slow: the long statistical ones too
       ./run.sh test --sanitize [ctest options]
                                          the same with AddressSanitizer and UBSan, in build-asan/
       ./run.sh test --sanitize=thread [ctest options]
                                          the tests of threads with ThreadSanitizer, in build-tsan/
       ./run.sh test --cross aarch64 [--slow] [ctest options]
                                          build for AArch64 and pass the tests that an emulator can run; --slow: also
                                          those in an emulated machine
       ./run.sh bundle [FOLDER]           a folder (default: bundle/) that measures on any Linux of this architecture
       ./run.sh package                   a Debian package: build/gable_VERSION_amd64.deb
                                          both also for another one: bundle --cross aarch64, package --cross aarch64
TEXT
}

began=$SECONDS

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Runs a stage of the job, and says how long it took.
stage() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@"
  echo "== $name: $(clock $((SECONDS - start)))"
}

# configure PRESET [CMake options], quietly unless it fails.
configure() {
  local log
  log=$(mktemp)
  if ! cmake --preset "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

build() {
  if have_dpkg; then
    need "${build_packages[@]}"
    want "${optional_build_packages[@]}"
  fi
  [ -f build/build.ninja ] || configure release -DGABLE_TESTS=OFF
  cmake --build build --target gable
}

install_for_tests() {
  have_dpkg || return 0
  need "${build_packages[@]}" "${test_packages[@]}"
  want "${optional_build_packages[@]}" "${optional_chart_packages[@]}" "${optional_test_packages[@]}"
}

build_tests() {
  configure "$preset" -DGABLE_TESTS=ON
  cmake --build --preset "$preset"
}

# cross ARCHITECTURE [CMake options]: builds $targets for it against its packages, which are unpacked into the build folder.
# Exit status 77 where the compiler or the packages cannot be had.
cross() {
  [ "${1:-}" = aarch64 ] || { echo "run.sh: cross aarch64: there is no other architecture" >&2; return 2; }
  if ! { have_dpkg && need "${cross_packages[@]}"; }; then
    echo "skipped: no cross compiler (Debian packages ${cross_packages[*]})"
    return 77
  fi
  packaging/cross/sysroot.sh arm64 build-aarch64/sysroot
  configure aarch64 "${@:2}"
  cmake --build --preset aarch64 --target "${targets[@]}"
}

cross_release() {
  local targets=(gable)
  cross "${1:-}" -DGABLE_TESTS=OFF -DCMAKE_BUILD_TYPE=Release
}

# pass_tests FOLDER [ctest options]: where tests fail, the last lines of each one's output follow ctest's list.
pass_tests() {
  local logs=$1/Testing/Temporary status=0
  shift
  ctest "$@" || status=$?
  [ "$status" -eq 0 ] || awk '
    NR == FNR { sub(/^[0-9]*:/, ""); failed[$0] = 1; next }
    / Testing: / { count = 0; name = $NF }
    { lines[count++] = $0 }
    $0 == "<end of output>" && name in failed {
      print "\n== the end of " name
      for (at = count > 25 ? count - 25 : 1; at < count - 1; ++at) print lines[at]
    }' "$logs/LastTestsFailed.log" "$logs/LastTest.log" || true
  return "$status"
}

# test_cross ARCHITECTURE [--slow] [ctest options]
test_cross() {
  local architecture=${1:-} selected=(--label-exclude slow) targets=(all)
  [ $# -eq 0 ] || shift
  if [ "${1:-}" = --slow ]; then
    selected=() && shift
    have_dpkg && need "${cross_guest_packages[@]}"
  fi
  stage "build for $architecture" cross "$architecture" -DGABLE_TESTS=ON
  stage "tests of $architecture" pass_tests "build-$architecture" --preset "$architecture" --parallel "$(nproc)" "${selected[@]}" "$@"
}

run_tests() {
  if [ "${1:-}" = --cross ]; then
    test_cross "${@:2}"
    return
  fi
  local selected=(--label-exclude slow) preset=release folder=build
  case ${1:-} in
    --slow) selected=() && shift ;;
    --sanitize) preset=asan folder=build-asan && shift ;;
    --sanitize=thread) preset=tsan folder=build-tsan && shift ;;
    *) echo "On two idle cores this takes about eight and a half minutes from a clean clone, less when everything is built." ;;
  esac
  stage install install_for_tests
  stage build build_tests
  # One more than there are cores: some tests wait most of the time.
  stage tests pass_tests "$folder" --preset "$preset" --parallel "$(($(nproc) + 1))" "${selected[@]}" "$@"
  echo "== all: $(clock $((SECONDS - began)))"
}

# built_for [--cross ARCHITECTURE]: builds; sets the build folder, the packages' root and how many arguments it took.
built_for() {
  folder=build root='' taken=0
  if [ "${1:-}" = --cross ]; then
    cross_release "${2:-}"
    folder=build-$2 root=build-$2/sysroot/root taken=2
  else
    build
  fi
}

# The libraries that the program loads: "PATH PACKAGE" a line; no package without dpkg.
libraries() {
  if [ -n "$root" ]; then
    packaging/cross/libraries.sh "$folder/gable" "$root"
    return
  fi
  local library file
  ldd build/gable | grep -o '/[^ ]*' | while read -r library; do
    file=$(readlink -f "$library")  # dpkg knows some of them without /usr
    echo "$library $(have_dpkg && dpkg-query -S "$file" "${file#/usr}" 2>/dev/null | head -1 | cut -d: -f1)" || true
  done
}

# What is installed, the program's libraries and the loader that fits them, so that the C library of the target
# does not matter.
bundle() {
  local folder root taken
  built_for "$@"
  shift $taken
  if have_dpkg; then need "${bundle_packages[@]}"; fi
  local to library package
  to=$(realpath -m "${1:-bundle}")
  cmake --install "$folder" --prefix "$to" --strip >/dev/null
  mkdir -p "$to/lib"
  mv "$to/bin/gable" "$to/lib/gable"
  rmdir "$to/bin"
  patchelf --set-rpath '$ORIGIN' "$to/lib/gable"
  libraries | while read -r library package; do
    cp -L "$library" "$to/lib/"
    [ -z "$package" ] || cp -L "$root/usr/share/doc/$package/copyright" "$to/share/doc/gable/libraries/$package"
  done
  cat >"$to/gable" <<TEXT
#!/bin/sh
# Runs the bundled program with the bundled loader and libraries: nothing else is needed.
here=\$(dirname "\$(readlink -f "\$0")")
exec "\$here/lib/$(cd "$to/lib" && ls ld-linux*)" --argv0 "\$0" --library-path "\$here/lib" "\$here/lib/gable" "\$@"
TEXT
  chmod +x "$to/gable"
  echo "$to: copy it to the machine, run 'gable measure DIR' there, bring DIR back and run 'gable fit DIR; gable plot DIR' here."
}

package() {
  local folder root taken depends=()
  built_for "$@"
  need "${package_packages[@]}"
  [ -z "$root" ] || depends=(-D "CPACK_DEBIAN_PACKAGE_DEPENDS=$(libraries | awk '{ print $2 }' | sort -u | paste -sd, | sed 's/,/, /g')")
  (cd "$folder" && cpack -G DEB "${depends[@]}")
}

characterize() {
  local folder
  if [ $# -gt 0 ] && [[ $1 != -* ]]; then
    folder=$1
    if [[ $folder != */* && ! -d $folder ]]; then
      echo "run.sh: no command '$folder' (a new folder is given with a slash: ./$folder)" >&2
      return 2
    fi
    shift
  else
    folder=machines/$(uname -n)
  fi
  local takes="about four minutes, half of them for the build"
  [ ! -x build/gable ] || takes="about a minute and a half"
  echo "On two cores and one memory node this takes $takes; more nodes take longer."
  if have_dpkg; then stage "install gnuplot" want "${optional_chart_packages[@]}"; fi
  stage build build
  if [[ " $* " == *" --dry-run "* ]]; then
    build/gable measure "$folder" "$@"
    return
  fi
  build/gable machine
  echo
  local goal="the first chart"
  if [ $# -eq 0 ]; then
    first_look "$folder"
    goal="the final charts"
  fi
  # No roof depends on virtualization, so it is measured after the charts.
  stage measure build/gable measure "$folder" --virt later --goal "$goal" "$@"
  stage fit build/gable fit --quiet "$folder"
  draw "$folder"
  stage virtualization build/gable measure "$folder" --virt now "$@"
  if [ "$folder/virt.jsonl" -nt "$folder/roofs.json" ]; then draw "$folder"; fi
  stage report quietly build/gable report "$folder"
  echo "== all: $(clock $((SECONDS - began)))"
  echo
  build/gable show "$folder"
  if [ -d "$folder/charts" ]; then
    echo "Charts: $folder/charts ('build/gable plot $folder' says which were not drawn, and why)"
  fi
  echo "Report, to read and to send: $folder/report.html"
}

# Measures the most informative visits, and shows their charts and figures. Later visits are added to them.
first_look() {
  stage "first look" build/gable measure "$1" --preset quick --budget 10s --goal "the first chart"
  build/gable fit --quiet "$1"
  draw "$1"
  build/gable show "$1"
  echo "The first charts and figures are in $1. Further visits narrow their intervals."
}

quietly() { "$@" >/dev/null; }

draw() {
  if command -v gnuplot >/dev/null; then
    stage draw quietly build/gable plot "$1"
  else
    echo "No charts: gnuplot is missing (package gnuplot-nox). 'build/gable plot $1' draws them later."
  fi
}

case ${1:-} in
  -h | --help) usage ;;
  build) build ;;
  cross) cross_release "${@:2}" ;;
  test) run_tests "${@:2}" ;;
  bundle) bundle "${@:2}" ;;
  package) package "${@:2}" ;;
  *) characterize "$@" ;;
esac
