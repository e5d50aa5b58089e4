#pragma once

// The memory of a run in the places that its Cases require: kept buffers that threads share in slices, or
// pages that are split between two nodes.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "bench/buffers/kept.hpp"
#include "bench/buffers/mixed.hpp"
#include "bench/plan/plan.hpp"
#include "bench/threads/team.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

class Placement {
 public:
  /// Touches what no earlier run has touched, and links a chase if its length or place changed; `pus` are
  /// those of each share's cluster. Throws Error::unavailable if the memory is not available, and
  /// Error::unavailable. `kept` must outlive it. The speed of a cache depends on the addresses, and the
  /// interval of a figure must show how much. So every `round` of a small run takes another part of the
  /// memory that is touched, or of varied_bytes if that is more and little for this machine.
  Placement(const Run& run, int round, const std::vector<std::vector<unsigned>>& pus,
            std::optional<std::uint64_t> available_bytes, Team& team, KeptBuffers& kept);

  /// Sets up the streams of `kernel` in the thread's buffer, `bytes` in total; returns the bytes actually
  /// used.
  std::uint64_t lay_out(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                        std::uint64_t bytes, kernels::Arguments& arguments);

  /// Sets up the chase of the share's first thread; returns the bytes actually used. It starts where the last
  /// walk through these lines stopped: a visit reads fewer lines than a large cache holds, so the next visit
  /// would find the same lines in that cache.
  std::uint64_t lay_chase(const kernels::Kernel& kernel, std::size_t share, std::uint64_t bytes,
                          kernels::Arguments& arguments);
  /// The first of the linked lines.
  const std::byte* chase(std::size_t share) const;
  /// Tells where a walk stopped.
  void chase_stopped(std::size_t share, const void* cursor);

  /// Verifies where the first `bytes` of a share's threads lie; returns why that is wrong, or an empty text.
  std::map<int, std::uint64_t> residence(std::size_t share, std::size_t threads, std::uint64_t bytes) const;
  model::Note misplaced(std::size_t share, const std::map<int, std::uint64_t>& found,
                        bool single_node_machine) const;

  /// A quick check of some of these pages between bursts: describes pages on other nodes than requested; else
  /// empty.
  model::Note strayed(std::size_t share, std::size_t threads, std::uint64_t bytes) const;

  /// The same for streams on two nodes in a given share.
  MixedResidence mixed_residence(std::size_t share) const { return mixed_->residence(share); }

  const model::Notes& notes() const { return notes_; }

 private:
  struct Part {
    Share share;
    std::vector<unsigned> pus;
    std::size_t threads = 0;     ///< that have a slice
    std::uint64_t each = 0;      ///< bytes of a slice, without the room beside its streams
    std::uint64_t chase = 0;     ///< bytes of the chase
    std::uint64_t distance = 0;  ///< between two slices
    std::uint64_t begin = 0;     ///< of the first slice in its buffer
    std::uint64_t chase_begin = 0;
    KeptBuffer* streams = nullptr;
    KeptBuffer* chased = nullptr;
  };

  struct Fit {
    double share = 1;  ///< the part of the request that fits
    int node = -1;     ///< that does not have enough memory; negative: the process does not
  };
  Fit fit(const Run& run, std::optional<std::uint64_t> available_bytes, const KeptBuffers& kept) const;
  void shrink(double share);
  void make_room(const Run& run, std::optional<std::uint64_t> available_bytes,
                 const std::vector<std::string>& names, KeptBuffers& kept);
  void take(const Run& run, const std::vector<std::string>& names, KeptBuffers& kept);
  bool take_mixed(const Run& run, int round, std::optional<std::uint64_t> available_bytes, Team& team,
                  KeptBuffers& kept);
  using Look =
      std::function<std::map<int, std::uint64_t>(const Buffer&, std::uint64_t begin, std::uint64_t bytes)>;
  std::map<int, std::uint64_t> located(std::size_t share, std::size_t threads, std::uint64_t bytes,
                                       const Look& look) const;

  model::Pages pages_;
  std::vector<Part> parts_;
  model::Notes notes_;
  MixedBuffers* mixed_ = nullptr;  ///< if the pages are split between two nodes
};

}  // namespace gable::bench
