// A library for LD_PRELOAD that lets one call of gable fail, counted over all of its processes:
//   GABLE_FAULT=CALL:N[:ERRNO]   the N-th CALL fails; N = 0: none
//   GABLE_FAULT=place:P          the first allocation at the place P fails; P = 0: none
//   GABLE_FAULT_TRACE=1          prints where that is, for addr2line -e gable
//   GABLE_FAULT_COUNTS=FILE      counts the calls there, in the order of `names`, each as 64 bits; see
//   `places`
// A place is a hash of the calls that led there, so addresses must not be random (setarch -R).
// Only the calls of gable itself fail, from main on, not those of libraries or of programs that it runs; an
// allocation is one of C++ anywhere.

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <new>

namespace {

enum Call {
  allocation,
  write_call,
  rename_call,
  sync_call,
  mmap_call,
  move_pages_call,
  perf_event_open_call,
  thread_call,
  calls
};
constexpr const char* names[calls] = {"new",  "write",      "rename",          "fsync",
                                      "mmap", "move_pages", "perf_event_open", "thread"};
constexpr int usual_errors[calls] = {ENOMEM, ENOSPC, EIO, EIO, ENOMEM, ENOMEM, EMFILE, EAGAIN};

constexpr std::size_t page = 4096, slots = 1 << 16;
constexpr int frames_of_place = 8;

std::atomic<unsigned long>* counts = nullptr;  // shared by all processes
// This is a page too, after the counts: with place:0 it has a hash table of all places, then whether the
// place failed.
std::atomic<unsigned long>* places = nullptr;
int failing = calls, failure = 0;
unsigned long failing_number = 0;
bool active = false, shows_place = false, by_place = false;
char *program_begin = nullptr, *program_end = nullptr;

template <typename Function>
Function* next(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define NEXT(function) (next(&::function, #function))

unsigned long this_place() {
  void* frames[frames_of_place];
  unsigned long hash = 14695981039346656037u;
  const int depth = backtrace(frames, frames_of_place);
  for (int i = 0; i < depth; ++i) hash = (hash ^ reinterpret_cast<unsigned long>(frames[i])) * 1099511628211u;
  return hash;
}

void note(unsigned long place) {
  for (std::size_t slot = place % slots, tried = 0; tried < slots; slot = (slot + 1) % slots, ++tried) {
    unsigned long empty = 0;
    if (places[slot] == place || places[slot].compare_exchange_strong(empty, place) || empty == place) return;
  }
}

// Whether the place of this allocation is the one that fails, for the first time.
bool fails_here() {
  const unsigned long place = this_place();
  if (failing_number == 0) note(place);
  return place == failing_number && places[slots].exchange(1) == 0;
}

// Whether this call is the one that fails.
bool fails(Call call) {
  if (!active) return false;
  const unsigned long number = ++counts[call];
  if (call != failing || !(by_place ? fails_here() : number == failing_number)) return false;
  if (shows_place) {
    void* frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  }
  errno = failure;
  return true;
}

// Whether the caller is gable's own code.
bool is_own(const void* caller) {
  return caller >= program_begin && caller < program_end;
}

void find_program() {
  FILE* maps = fopen("/proc/self/maps", "re");
  char line[4400], path[4096] = "";
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (maps == nullptr || size <= 0) return;
  while (fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    if (strstr(line, path) == nullptr || sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
    if (program_begin == nullptr) program_begin = reinterpret_cast<char*>(begin);
    program_end = reinterpret_cast<char*>(end);
  }
  fclose(maps);
}

void read_environment() {
  const char *const spec = getenv("GABLE_FAULT"), *const file = getenv("GABLE_FAULT_COUNTS");
  if (spec == nullptr || file == nullptr || strcmp(program_invocation_short_name, "gable") != 0) return;
  const int descriptor = open(file, O_RDWR | O_CLOEXEC);
  const std::size_t bytes = page + (slots + 1) * sizeof *places;
  void* const shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  if (shared == MAP_FAILED) return;
  counts = static_cast<std::atomic<unsigned long>*>(shared);
  places = counts + page / sizeof *counts;
  char name[32] = "";
  if (sscanf(spec, "%31[^:]:%lu:%d", name, &failing_number, &failure) < 2) return;
  for (int call = 0; call < calls; ++call) {
    if (strcmp(name, names[call]) == 0) failing = call;
  }
  by_place = strcmp(name, "place") == 0;
  if (by_place) failing = allocation;
  if (failing < calls && failure == 0) failure = usual_errors[failing];
  find_program();
  shows_place = getenv("GABLE_FAULT_TRACE") != nullptr;
  active = true;
}

int (*program_main)(int, char**, char**) = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  read_environment();
  const int status = program_main(count, arguments, environment);
  active = false;
  return status;
}

}  // namespace

extern "C" int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments,
                                 void (*begin)(), void (*end)(), void (*unload)(), void* stack) {
  program_main = main;
  using Start = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return reinterpret_cast<Start*>(dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, count, arguments,
                                                                         begin, end, unload, stack);
}

void* operator new(std::size_t size) {
  void* const memory = fails(allocation) ? nullptr : malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void operator delete(void* memory) noexcept {
  free(memory);
}
void operator delete[](void* memory) noexcept {
  free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  free(memory);
}

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  static auto* const real = NEXT(write);
  return is_own(__builtin_return_address(0)) && fails(write_call) ? -1 : real(file, bytes, size);
}

extern "C" size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  static auto* const real = NEXT(fwrite);
  return is_own(__builtin_return_address(0)) && fails(write_call) ? 0 : real(bytes, size, count, file);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  static auto* const real = NEXT(rename);
  return fails(rename_call) ? -1 : real(from, to);
}

extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static auto* const real = NEXT(linkat);
  return fails(rename_call) ? -1 : real(from_folder, from, to_folder, to, flags);
}

extern "C" int fsync(int file) {
  static auto* const real = NEXT(fsync);
  return fails(sync_call) ? -1 : real(file);
}

extern "C" int fdatasync(int file) {
  static auto* const real = NEXT(fdatasync);
  return fails(sync_call) ? -1 : real(file);
}

extern "C" void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  static auto* const real = NEXT(mmap);
  if (is_own(__builtin_return_address(0)) && fails(mmap_call)) return MAP_FAILED;
  return real(at, size, protection, flags, file, offset);
}

extern "C" long move_pages(int pid, unsigned long count, void** pages, const int* nodes, int* status,
                           int flags) {
  using MovePages = long(int, unsigned long, void**, const int*, int*, int);
  static auto* const real = reinterpret_cast<MovePages*>(dlsym(RTLD_NEXT, "move_pages"));
  return fails(move_pages_call) ? -1 : real(pid, count, pages, nodes, status, flags);
}

extern "C" long syscall(long number, ...) noexcept {
  static auto* const real = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_perf_event_open && fails(perf_event_open_call)) return -1;
  if (number == SYS_move_pages && fails(move_pages_call)) return -1;
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static auto* const real = NEXT(pthread_create);
  return fails(thread_call) ? failure : real(thread, attributes, start, argument);
}
