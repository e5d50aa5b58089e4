#!/usr/bin/env bash
# The whole job in one command. ./run.sh --help lists what else it does.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"

build_packages=(
  cmake ninja-build g++ pkg-config
  libhwloc-dev libnuma-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev
  libeigen3-dev
  libscotch-dev
  zlib1g-dev
  libpmem-dev libmemkind-dev
)
counter_packages=(valgrind libpfm4-dev)
chart_packages=(gnuplot-nox fonts-dejavu-core)
test_packages=(libgtest-dev hwloc patchelf binutils bochs bochs-term vgabios bochsbios librsvg2-bin python3
  qemu-system-x86 busybox-static e2fsprogs procps libopenblas-dev)
bundle_packages=(patchelf)

usage() {
  cat <<'TEXT'
usage: ./run.sh [DIR] [measure options]   characterize this machine into DIR (default: machines/<host name>):
                                          install what is missing, build, measure, fit, draw, show the figures
       ./run.sh build                     build the program: build/gable
       ./run.sh test [ctest options]      build and pass all the tests
       ./run.sh bundle [FOLDER]           a folder (default: bundle/) that measures on any x86-64 Linux
TEXT
}

# Installs the packages that are missing where we may; says which are missing where we may not.
need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      echo "run.sh: please install: ${missing[*]}" >&2
      return 1
    fi
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# On systems without dpkg, CMake says what is missing.
have_dpkg() { command -v dpkg-query >/dev/null; }

configure() {
  local log
  log=$(mktemp)
  if ! cmake -S . -B build -G Ninja "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

build() {
  if have_dpkg; then
    need "${build_packages[@]}"
    need "${counter_packages[@]}" || echo "run.sh: without them the counters valgrind and pmu are not built" >&2
  fi
  [ -f build/build.ninja ] || configure -DGABLE_TESTS=OFF
  cmake --build build --target gable
}

run_tests() {
  if have_dpkg; then need "${build_packages[@]}" "${counter_packages[@]}" "${chart_packages[@]}" "${test_packages[@]}"; fi
  configure -DGABLE_TESTS=ON
  cmake --build build
  ctest --test-dir build --parallel 2 --output-on-failure "$@"
}

# The program, its libraries and the loader that fits them, so that the C library of the target does not matter.
bundle() {
  build
  if have_dpkg; then need "${bundle_packages[@]}"; fi
  local folder=${1:-bundle}
  mkdir -p "$folder/lib"
  cp build/gable "$folder/lib/gable"
  patchelf --set-rpath '$ORIGIN' "$folder/lib/gable"
  ldd build/gable | grep -o '/[^ ]*' | xargs -I{} cp -L {} "$folder/lib/"
  cat >"$folder/gable" <<'TEXT'
#!/bin/sh
# Runs the bundled program with the bundled loader and libraries: nothing else is needed.
here=$(dirname "$(readlink -f "$0")")
exec "$here/lib/ld-linux-x86-64.so.2" --argv0 "$0" --library-path "$here/lib" "$here/lib/gable" "$@"
TEXT
  chmod +x "$folder/gable"
  if [ -d build/libexec ]; then cp -r build/libexec "$folder/"; fi
  echo "$folder: copy it to the machine, run 'gable measure DIR' there, bring DIR back and run 'gable fit DIR; gable plot DIR' here."
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
  build
  if have_dpkg; then need "${chart_packages[@]}" || true; fi
  if [[ " $* " == *" --dry-run "* ]]; then
    build/gable measure "$folder" "$@"
    return
  fi
  build/gable machine
  echo
  build/gable measure "$folder" "$@"
  build/gable fit --quiet "$folder"
  echo
  build/gable show "$folder"
  if ! command -v gnuplot >/dev/null; then
    echo "No charts: gnuplot is missing (package gnuplot-nox). 'build/gable plot $folder' draws them later."
    return
  fi
  build/gable plot "$folder" >/dev/null
  echo "Charts: $folder/charts ('build/gable plot $folder' says which were not drawn, and why)"
}

case ${1:-} in
  -h | --help) usage ;;
  build) build ;;
  test) run_tests "${@:2}" ;;
  bundle) bundle "${@:2}" ;;
  *) characterize "$@" ;;
esac
