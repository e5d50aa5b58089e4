#pragma once

// The buffers of a run, one per thread, where its Cases ask for them.

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
  /// Maps the buffers and lets every owner touch its own. Throws PlacementError where they cannot be had,
  /// PinError.
  Placement(const Run& run, const std::vector<std::vector<unsigned>>& pus,
            std::optional<std::uint64_t> available_bytes, Team& team);

  /// Whether the buffers serve this run as they are.
  bool serves(const Run& run, const std::vector<std::vector<unsigned>>& pus) const;

  /// Sets the streams of `kernel` up in the thread's buffer, `bytes` in all; gives what was used in the end.
  std::uint64_t lay_out(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                        std::uint64_t bytes, kernels::Arguments& arguments);

  /// Links the thread's buffer for `kernel`'s chains; gives what was used in the end.
  std::uint64_t lay_chase(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                          std::uint64_t bytes, kernels::Arguments& arguments);

  /// Where the first `bytes` of the threads of a share lie; why that is not where they should be, or empty.
  std::map<int, std::uint64_t> residence(std::size_t share, std::size_t threads, std::uint64_t bytes) const;
  std::string misplaced(std::size_t share, const std::map<int, std::uint64_t>& found,
                        bool single_node_machine) const;

  /// A quick look between bursts at some of these pages: what was seen on a node that was not asked for, or
  /// empty.
  std::string strayed(std::size_t share, std::size_t threads, std::uint64_t bytes) const;

  /// The same for streams that lie on two nodes in a given share: every page counts.
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
    std::vector<std::uint64_t> wanted;       ///< bytes asked for
  };

  struct Room {
    double share = 1;   ///< how much of what is wanted fits
    std::string where;  ///< " on node 2" where it is a node that does not hold all
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
