#include "bench/virt/mapping.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "bench/virt/pages.hpp"
#include "model/domain/virt_measure.hpp"

namespace gable::bench {

namespace {

void must(bool good, const char* what) {
  if (!good) fail(what);
}

void touch_pages(std::byte* begin, std::size_t bytes, std::size_t step) {
  for (std::size_t at = 0; at < bytes; at += step)
    *const_cast<volatile std::byte*>(begin + at) = std::byte{1};
}

// Pages that the kernel has to find, clear and map. The range is unmapped in between.
double first_touch(Pages& memory, std::size_t page) {
  must(madvise(memory.data(), memory.size(), MADV_DONTNEED) == 0, "madvise");
  return timed([&] { touch_pages(memory.data(), memory.size(), page); });
}

double map_and_unmap(int calls) {
  constexpr std::size_t page = 4096;
  return timed([&] {
    for (int i = 0; i < calls; ++i) {
      void* const at = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      must(at != MAP_FAILED, "mmap");
      touch_pages(static_cast<std::byte*>(at), 1, 1);
      munmap(at, page);
    }
  });
}

double protect_pages(Pages& memory, std::size_t page) {
  return timed([&] {
    for (std::size_t at = 0; at < memory.size(); at += page) {
      std::byte* const here = memory.data() + at;
      must(mprotect(here, page, PROT_READ) == 0, "mprotect");
      must(mprotect(here, page, PROT_READ | PROT_WRITE) == 0, "mprotect");
      touch_pages(here, 1, 1);
    }
  });
}

// A child that ends at once: what is copied is the page tables.
double fork_once() {
  return timed([] {
    const pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) _exit(0);
    must(waitpid(child, nullptr, 0) == child, "waitpid");
  });
}

// A byte goes to a child and comes back. Both are on this CPU, so each way is a switch.
class PingPong {
 public:
  PingPong() {
    must(pipe(to_) == 0 && pipe(from_) == 0, "pipe");
    child_ = fork();
    must(child_ >= 0, "fork");
    if (child_ != 0) return;
    close(to_[1]);
    char token = 0;
    while (read(to_[0], &token, 1) == 1 && write(from_[1], &token, 1) == 1) {
    }
    _exit(0);
  }
  ~PingPong() {
    for (const int each : {to_[0], to_[1], from_[0], from_[1]}) close(each);
    waitpid(child_, nullptr, 0);
  }
  PingPong(const PingPong&) = delete;
  PingPong& operator=(const PingPong&) = delete;

  double rounds(int count) {
    return timed([&] {
      char token = 1;
      for (int i = 0; i < count; ++i)
        must(write(to_[1], &token, 1) == 1 && read(from_[0], &token, 1) == 1, "a pipe to a child");
    });
  }

 private:
  int to_[2] = {-1, -1}, from_[2] = {-1, -1};
  pid_t child_ = -1;
};

MappingCost repeated(int repetitions, double calls, const std::function<double()>& once) {
  once();  // the first time warms up caches, and lets the host back the memory
  MappingCost cost;
  for (int i = 0; i < repetitions; ++i) {
    cost.seconds.push_back(once());
    cost.calls.push_back(calls);
  }
  return cost;
}

}  // namespace

MappingCost mapping_cost(std::string_view what, model::VirtPages pages, std::uint64_t bytes,
                         int repetitions) {
  constexpr int calls = 200;
  if (what == model::mapping::mmap) return repeated(repetitions, calls, [] { return map_and_unmap(calls); });
  if (what == model::mapping::context_switch) {
    PingPong partners;
    return repeated(repetitions, 2.0 * calls, [&] { return partners.rounds(calls); });
  }
  Pages memory(pages, bytes);
  const std::size_t page = row_of(pages).bytes;
  const auto count = static_cast<double>(memory.size() / page);
  touch_pages(memory.data(), memory.size(), page);
  memory.require_huge();
  if (what == model::mapping::mprotect)
    return repeated(repetitions, count, [&] { return protect_pages(memory, page); });
  if (what == model::mapping::fork) return repeated(repetitions, 1, fork_once);
  return repeated(repetitions, count, [&] { return first_touch(memory, page); });
}

}  // namespace gable::bench
