#pragma once

// The buffers of a run, one per thread, in the places that its Cases require.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "bench/buffers/page_mix.hpp"
#include "bench/plan/plan.hpp"
#include "bench/visit/team.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

class Placement {
 public:
  /// Maps the buffers and lets every owner touch its own. Throws PlacementError if they are not available,
  /// and PinError.
  Placement(const Run& run, const std::vector<std::vector<unsigned>>& pus,
            std::optional<std::uint64_t> available_bytes, Team& team);

  /// Whether the buffers can be used for this run unchanged.
  bool serves(const Run& run, const std::vector<std::vector<unsigned>>& pus) const;

  /// Sets up the streams of `kernel` in the thread's buffer, `bytes` in total; returns the bytes actually
  /// used.
  std::uint64_t lay_out(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                        std::uint64_t bytes, kernels::Arguments& arguments);

  /// Links the thread's buffer for `kernel`'s chains; returns the bytes actually used.
  std::uint64_t lay_chase(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                          std::uint64_t bytes, kernels::Arguments& arguments);

  /// Verifies where the first `bytes` of a share's threads lie; returns why that is wrong, or an empty text.
  std::map<int, std::uint64_t> residence(std::size_t share, std::size_t threads, std::uint64_t bytes) const;
  std::string misplaced(std::size_t share, const std::map<int, std::uint64_t>& found,
                        bool single_node_machine) const;

  /// A quick check of some of these pages between bursts: describes pages on other nodes than requested; else
  /// empty.
  std::string strayed(std::size_t share, std::size_t threads, std::uint64_t bytes) const;

  /// The same for streams on two nodes in a given share: every page is checked.
  MixedResidence mixed_residence(std::size_t share) const;

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Part {
    std::vector<unsigned> nodes;
    int node_percent = -1;
    int node_weight = 0, other_weight = 0;
    std::vector<unsigned> pus;
    std::vector<Buffer> buffers;
    std::vector<MixedLayout> layouts;        ///< of the buffers; none without a node_percent
    std::vector<std::uint64_t> linked;       ///< bytes that hold addresses instead of numbers
    std::vector<std::uint64_t> chase_lines;  ///< of the chase that is laid out; 0: none
    std::vector<std::uint64_t> wanted;       ///< requested bytes
  };

  struct Room {
    double share = 1;   ///< the part of the request that fits
    std::string where;  ///< " on node 2" if that node does not have enough memory
  };
  Room room(std::optional<std::uint64_t> available_bytes) const;
  void check_huge_pages() const;
  void make_buffer(Part& part, std::uint64_t bytes, const model::Case& asked);

  std::string name_;  ///< of the placement
  std::string pages_;
  std::vector<Part> parts_;
  std::vector<std::string> notes_;
};

}  // namespace gable::bench
