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

/// The part of one cluster: a thread on each of these CPUs has `bytes` for its streams.
struct MixedPart {
  Share split;
  std::uint64_t bytes = 0;
  std::vector<unsigned> cpus;
};

class MixedBuffers {
 public:
  /// Forgets all memory. `name` tells the next from others, and `notes` are remarks on it.
  void begin(const std::string& name, std::vector<MixedPart> parts, model::Pages pages,
             std::vector<std::string> notes);
  void forget();
  const std::string& name() const { return name_; }

  /// Touches what `kernel` needs, with all threads at once, and finds out where every new page is. Throws
  /// Error::unavailable.
  void touch(const kernels::Kernel& kernel, Team& team);
  const std::vector<std::string>& notes() const { return notes_; }

  /// Sets the streams of a part's thread for the kernel of the last touch(); returns the bytes used.
  std::uint64_t lay_out(std::size_t part, std::size_t thread, kernels::Arguments& arguments) const;

  /// Where the part's streams of this kernel are: a sample of the pages is checked again. After a fault the
  /// memory has no name any more, so the next visit places it anew.
  MixedResidence residence(std::size_t part);
  /// Bytes by node in a small sample of the part's pages.
  std::map<int, std::uint64_t> glimpse(std::size_t part, std::size_t most_pages) const;

 private:
  struct Thread {
    std::size_t part = 0;
    std::vector<Buffer> regions;
    std::vector<std::vector<int>> nodes;  ///< of their pages
  };

  std::string name_;
  model::Pages pages_;
  std::vector<MixedPart> parts_;
  std::vector<MixedLayout> layouts_;  ///< of the parts
  std::vector<std::string> notes_;
  std::vector<Thread> threads_;  ///< of all parts, one after the other
};

/// Why the buffer cannot be used as one of huge pages; empty if it can.
std::string not_in_huge_pages(const Buffer& buffer, std::uint64_t bytes);

}  // namespace gable::bench
