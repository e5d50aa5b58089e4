#!/bin/bash
# gable profile: arrays have the name of the line that allocates them, and their size, however the memory comes.
source "$(dirname "$0")/expect.sh" "$1"
[ -x "$(dirname "$gable")/libexec/gable/valgrind/launch" ] || { echo "skipped: built without the Valgrind tool"; exit 77; }
command -v gcc >/dev/null || { echo "skipped: no compiler"; exit 77; }
cd "$work" || exit 1

# Each program prints the lines of its arrays, which have 256 KiB and are read and written twice.
cat >touch.h <<'PROGRAM'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>
enum { bytes = 1 << 18 };
static void touch(void* of) {
  for (int k = 0; k < 2; ++k) for (int i = 0; i < bytes / 8; ++i) ((double*)of)[i] += 1;
}
static int file_of(const char* name) {
  int file = open(name, O_RDWR | O_CREAT, 0600);
  if (ftruncate(file, bytes)) exit(1);
  return file;
}
#define ALL PROT_READ | PROT_WRITE
PROGRAM
cat >mapped.c <<'PROGRAM'
#include "touch.h"
int main(void) {
  double* anonymous = mmap(NULL, bytes, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double* shared = mmap(NULL, bytes, ALL, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double* in_file = mmap(NULL, bytes, ALL, MAP_SHARED, file_of("data.bin"), 0);
  double* copied = mmap(NULL, bytes, ALL, MAP_PRIVATE, file_of("data.bin"), 0);
  double* attached = shmat(shmget(IPC_PRIVATE, bytes, 0600 | IPC_CREAT), NULL, 0);
  double* at_break = sbrk(bytes);
  double* moved = mmap(NULL, bytes, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* place = mmap(NULL, bytes, ALL, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  touch(anonymous), touch(shared), touch(in_file), touch(copied), touch(attached), touch(at_break), touch(moved);
  moved = mremap(moved, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  touch(moved);
  munmap(anonymous, bytes);
  return 0;
}
PROGRAM
cat >allocated.c <<'PROGRAM'
#include "touch.h"
int main(void) {
  double* aligned;
  if (posix_memalign((void**)&aligned, 4096, bytes)) return 1;
  double* by_line = aligned_alloc(64, bytes);
  double* cleared = calloc(bytes, 1);
  double* grown = malloc(100);
  grown = realloc(grown, bytes);
  touch(aligned), touch(by_line), touch(cleared), touch(grown);
  return 0;
}
PROGRAM
cat >libraries.c <<'PROGRAM'
#include "touch.h"
#include <hbwmalloc.h>
#include <memkind.h>
#include <numa.h>
int main(void) {
  double* of_kind = memkind_malloc(MEMKIND_DEFAULT, bytes);
  double* fast = hbw_malloc(bytes);
  double* aligned;
  if (hbw_posix_memalign((void**)&aligned, 4096, bytes)) return 1;
  double* on_node = numa_alloc_onnode(bytes, 0);
  double* interleaved = numa_alloc_interleaved(bytes);
  if (!of_kind || !fast || !aligned || !on_node || !interleaved) return 0;
  touch(of_kind), touch(fast), touch(aligned), touch(on_node), touch(interleaved);
  return 0;
}
PROGRAM
cat >threads.c <<'PROGRAM'
#include "touch.h"
#include <pthread.h>
static _Thread_local double own[bytes / 8];
static void* touch_own(void* of) { touch(own); return of; }
int main(void) {
  pthread_t thread;
  touch(own);
  if (pthread_create(&thread, NULL, touch_own, NULL)) return 1;
  return pthread_join(thread, NULL);
}
PROGRAM
cat >classes.cpp <<'PROGRAM'
#include <memory>
#include <vector>
constexpr int n = 1 << 15;
struct Mesh { std::vector<double> x; double* y; };
static double table[n];
inline double everywhere[n];
template <class T> struct Of { static T all[n]; };
template <class T> T Of<T>::all[n];
class Matrix {
 public:
  explicit Matrix(int count) : values_(count), count_(count) {}
  double& at(int i) { return values_[i]; }
 private:
  std::vector<double> values_;
  int count_;
};
struct Field {
  explicit Field(int count)
      : values(new double[count]()) {}
  double* values;
};
struct Owner {
  Owner() { inner.reset(new double[n]()), inner[1] = 1; }
  std::unique_ptr<double[]> inner;
};
struct Later {
  void allocate(int count) { values = new double[count](); }
  double* values;
};
double* make() { return new double[n](); }
double* made;
int main() {
  std::vector<double> first(n, 1), second(n, 2);
  Mesh mesh{std::vector<double>(), nullptr};
  mesh.x.resize(n);
  mesh.y = new double[n]();
  made = make();
  auto owned = std::make_unique<double[]>(n);
  Matrix one(n), other(n);
  Field field(n);
  Later now, then; Owner owner;
  now.allocate(n);
  then.allocate(n);
  const std::vector<double> copied = first;
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < n; ++i) {
      one.at(i) += other.at(i) + field.values[i] + now.values[i] + then.values[i] + copied[i] + owner.inner[i];
      everywhere[i] += one.at(i);
      Of<double>::all[i] += one.at(i);
    }
  for (int i = 0; i < n; ++i) table[i] += first[i] + second[i] + mesh.x[i] + mesh.y[i] + made[i] + owned[i];
  return table[9] != 3;
}
PROGRAM
cat >arrays.f90 <<'PROGRAM'
module grid
  real(8) :: fixed(32768)
end module
program main
  use grid
  real(8), allocatable :: a(:), b(:), c(:), d(:)
  real(8) :: common_array(32768)
  common /block/ common_array
  integer :: i
  allocate(a(32768), b(32768))
  allocate(c(32768), &
           d(32768))
  do i = 1, 32768
    a(i) = i; b(i) = 2 * a(i); fixed(i) = b(i); c(i) = i; d(i) = i; common_array(i) = c(i)
  end do
  if (fixed(9) /= 18) stop 1
  call work(32768, d)
end program
subroutine work(n, d)
  integer :: n, i
  real(8) :: d(n)
  real(8), save :: kept(32768)
  do i = 1, n
    kept(i) = d(n + 1 - i)
  end do
  d = kept
end subroutine
PROGRAM

# The objects of a profile that have exactly these names.
objects_are() { # PROGRAM NAME...
  local name=$1
  shift
  expect 0 '' profile -o "$name.profile" -- "./$name"
  expect 0 '' profile show "$name.profile" --by object --json
  python3 - "$work/out" "$@" <<'PYTHON' || fail "the objects of $name"
import json, sys
rows = {row["name"]: row for row in json.load(open(sys.argv[1]))["objects"]}
for name in sys.argv[2:]:
    assert name in rows, (name, [name for name, row in rows.items() if row["peak_bytes"] > 2e5])
    assert rows[name]["peak_bytes"] == 1 << 18, rows[name]
    first = rows[name]["behind"]["L1"]  # L1 holds less than half of an array, so both passes fetch it, and all of it
    lines = sum(first[order][kind] for order in ("sequential", "independent", "chained") for kind in ("read", "write"))
    assert lines > 0.9 * (1 << 18), rows[name]
if "anonymous (mapped.c:3)" in rows:
    assert rows["anonymous (mapped.c:3)"]["died"] < 1 and rows["shared (mapped.c:4)"]["died"] == 1
    assert rows["moved (mapped.c:9)"]["blocks"] == 1, rows["moved (mapped.c:9)"]
PYTHON
}

for name in mapped allocated; do gcc -O1 -g -o $name $name.c || fail "$name.c cannot be compiled"; done
objects_are mapped 'anonymous (mapped.c:3)' 'shared (mapped.c:4)' 'in_file (mapped.c:5) of data.bin' \
  'copied (mapped.c:6) of data.bin' 'attached (mapped.c:7)' 'at_break (mapped.c:8)' 'moved (mapped.c:9)'
objects_are allocated 'aligned (allocated.c:4)' 'by_line (allocated.c:5)' 'cleared (allocated.c:6)' 'grown (allocated.c:8)'
gcc -O1 -g -pthread -o threads threads.c || fail "threads.c cannot be compiled"
expect 0 '' profile -o threads.profile -- ./threads
expect 0 '' profile show threads.profile --by object --json
python3 - "$work/out" <<'PYTHON' || fail "variables of threads"
import json, sys
row, = [row for row in json.load(open(sys.argv[1]))["objects"] if row["name"] == "thread-local variables"]
first = row["behind"]["L1"]
lines = sum(first[order][kind] for order in ("sequential", "independent", "chained") for kind in ("read", "write"))
assert lines > 4 * 0.9 * (1 << 18), row  # two passes of two threads
PYTHON
if gcc -O1 -g -o libraries libraries.c -lmemkind -lnuma 2>/dev/null && ./libraries; then
  objects_are libraries 'of_kind (libraries.c:6)' 'fast (libraries.c:7)' 'aligned (libraries.c:9)' \
    'on_node (libraries.c:10)' 'interleaved (libraries.c:11)'
fi
if g++ -O1 -g -std=c++17 -o classes classes.cpp 2>/dev/null; then
  objects_are classes 'first (classes.cpp:33)' 'second (classes.cpp:33)' 'mesh.x (classes.cpp:35)' \
    'mesh.y (classes.cpp:36)' 'made (classes.cpp:37)' 'owned (classes.cpp:38)' table everywhere 'Of<double>::all' \
    'one (classes.cpp:39)' 'other (classes.cpp:39)' 'values (classes.cpp:19)' 'now (classes.cpp:42)' \
    'then (classes.cpp:43)' 'copied (classes.cpp:44)' 'inner (classes.cpp:23)'
fi
if gfortran -O1 -g -o arrays arrays.f90 2>/dev/null; then
  objects_are arrays 'a (arrays.f90:10)' 'b (arrays.f90:10)' grid::fixed block_ kept
  # The line of a statement that goes on in the next one is either, by the version of the compiler.
  grep -qE '"c \(arrays.f90:1[12]\)"' "$work/out" && grep -qE '"d \(arrays.f90:1[12]\)"' "$work/out" || fail "the arrays of two lines"
fi
