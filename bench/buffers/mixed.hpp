#pragma once

// Memory whose pages are split between two nodes. The streams of every kernel use the same pages, which are
// touched when a kernel first needs them.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "bench/buffers/page_mix.hpp"
#include "bench/plan/patterns.hpp"
#include "bench/threads/team.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

class MixedBuffers {
 public:
  /// Forgets all memory. The next has `bytes` for each thread's streams; `name` tells it from others, and
  /// `notes` are remarks on it.
  void begin(const std::string& name, const Share& split, std::uint64_t bytes, model::Pages pages,
             std::vector<std::string> notes);
  void forget();
  const std::string& name() const { return name_; }

  /// Touches what `kernel` needs, with a thread on each of these CPUs, and finds out where every new page is.
  /// Throws Error::unavailable.
  void touch(const kernels::Kernel& kernel, const std::vector<unsigned>& cpus, Team& team);
  const std::vector<std::string>& notes() const { return notes_; }

  /// Sets the thread's streams of the kernel of the last touch(); returns the bytes used.
  std::uint64_t lay_out(std::size_t thread, kernels::Arguments& arguments) const;

  /// Where the streams of this kernel are: a sample of the pages is checked again. After a fault the memory
  /// has no name any more, so the next visit places it anew.
  MixedResidence residence();
  /// Bytes by node in a small sample.
  std::map<int, std::uint64_t> glimpse(std::size_t most_pages) const;

 private:
  struct Thread {
    std::vector<Buffer> regions;
    std::vector<std::vector<int>> nodes;  ///< of their pages
  };

  std::string name_;
  model::Pages pages_;
  Share split_;
  std::uint64_t bytes_ = 0;
  MixedLayout layout_;
  std::vector<std::string> notes_;
  std::vector<Thread> threads_;
};

/// Why the buffer cannot be used as one of huge pages; empty if it can.
std::string not_in_huge_pages(const Buffer& buffer, std::uint64_t bytes);

}  // namespace gable::bench
