#pragma once

// Memory between two guard pages.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <new>

namespace gable::tests {

class GuardedMemory {
 public:
  /// Room for `bytes`, rounded up to whole pages.
  explicit GuardedMemory(std::size_t bytes) : inner_((bytes + page - 1) / page * page) {
    void* outer =
        mmap(nullptr, inner_ + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (outer == MAP_FAILED) throw std::bad_alloc();
    start_ = static_cast<char*>(outer) + page;
    mprotect(start_ - page, page, PROT_NONE);
    mprotect(start_ + inner_, page, PROT_NONE);
  }
  ~GuardedMemory() { munmap(start_ - page, inner_ + 2 * page); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  /// `bytes` that begin at the first guard page.
  double* flush_with_start() const { return reinterpret_cast<double*>(start_); }
  /// `bytes` that end at the second.
  double* flush_with_end(std::size_t bytes) const {
    return reinterpret_cast<double*>(start_ + inner_ - bytes);
  }

 private:
  inline static const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t inner_;
  char* start_;
};

}  // namespace gable::tests
