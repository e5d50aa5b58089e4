# Sourced by run.sh: which Debian packages Gable is built and tested with, and how they are installed.
#
# Optional packages are lines "PACKAGES: what is lost without them". a|b means the first of the two that the release has.

build_packages=(cmake ninja-build g++ pkg-config libhwloc-dev libnuma-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  zlib1g-dev)
optional_build_packages=(
  "libscotch-dev: gable kmaf does not map threads"
  "libpmem-dev: files in persistent memory are mapped without libpmem"
  "libmemkind-dev: no memkind: tiers"
  "valgrind: no --counter valgrind, no traces"
  "libpfm4-dev: no --counter pmu"
)
optional_chart_packages=("gnuplot-nox fonts-dejavu-core: no charts")
test_packages=(libgtest-dev python3 hwloc binutils procps dpkg-dev file)
optional_test_packages=(
  "clang-format-14|python3-pip: the format of the sources is not checked"
  "librsvg2-bin patchelf: charts as PNG and the bundle are not tested"
  "bochs bochs-term vgabios bochsbios: the kernels of other CPUs are not tested"
  "qemu-system-x86 busybox-static e2fsprogs: no tests in emulated machines"
  "slurm-wlm munge iproute2: no tests of clusters"
  "openmpi-bin libopenmpi-dev mpich libmpich-dev: gable-mpi is not built"
  "libopenblas-dev: the example dgemm is built without a library"
)
bundle_packages=(patchelf)
package_packages=(dpkg-dev file)
cross_packages=(cmake ninja-build pkg-config g++-aarch64-linux-gnu qemu-user-static)
cross_guest_packages=(qemu-system-arm busybox-static gnuplot-nox)

# On systems without dpkg, CMake says what is missing.
have_dpkg() { command -v dpkg-query >/dev/null; }

# need PACKAGES...: installs those that are missing where we may; says which are missing where we may not.
need() {
  local package missing=() as_root
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  become_root || { echo "run.sh: please install: ${missing[*]}" >&2; return 1; }
  update
  install "${missing[@]}"
}

# want LINES...: installs optional packages where we may and where the release has them. For those that are left out, a
# line says what is lost.
want() {
  local line names lost missing=() chosen=() as_root
  missing=($(for line in "$@"; do missing_of "$line"; done))
  [ ${#missing[@]} -gt 0 ] || return 0
  if become_root; then
    chosen=($(offered_of "${missing[@]}"))
    # Packages that are still missing after an earlier set-up are mostly those that the release lacks.
    if [ ${#chosen[@]} -gt 0 ] || ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then
      update || true
      chosen=($(offered_of "${missing[@]}"))
    fi
    [ ${#chosen[@]} -eq 0 ] || install "${chosen[@]}" || for names in "${chosen[@]}"; do install "$names" || true; done
  fi
  for line in "$@"; do
    lost=$(missing_of "$line")
    [ -z "$lost" ] || echo "run.sh: left out:" $lost "(optional): ${line#*: }"
  done
}

installed() { [[ $(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) == *"ok installed" ]]; }
offered() { [[ $(LC_ALL=C apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[^\(]* ]]; }

# first_of TEST a|b: prints the first of them that is installed or offered; fails if none is.
first_of() {
  local name
  for name in ${2//|/ }; do
    if "$1" "$name"; then echo "$name" && return; fi
  done
  return 1
}

# missing_of LINE: prints the packages of the line of which no alternative is installed.
missing_of() {
  local names
  for names in ${1%%: *}; do first_of installed "$names" >/dev/null || echo "$names"; done
}

offered_of() {
  local names
  for names in "$@"; do first_of offered "$names" || true; done
}

# Sets as_root to the words that run a command as root; fails where we may not.
become_root() {
  as_root=()
  [ "$(id -u)" -ne 0 ] || return 0
  command -v sudo >/dev/null && sudo -n true 2>/dev/null && as_root=(sudo -n)
}

# Reads the release's lists of packages, once.
update() {
  [ -z "${updated:-}" ] || return 0
  "${as_root[@]}" apt-get update -qq && updated=yes
}

install() {
  echo "Installing $*"
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
