#pragma once

// Moves pages in batches, asks the kernel for their nodes afterwards, and counts successes and failures.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kmaf/live/movers/kernel.hpp"
#include "kmaf/live/program/address_space.hpp"

namespace gable::kmaf::live {

/// Counts of successes, and of failures by reason.
struct Moves {
  std::uint64_t done = 0;
  std::map<std::string, std::uint64_t> failed;

  std::uint64_t failures() const;
};

class PageMover {
 public:
  struct Order {
    Page page;
    int from = 0, to = 0;  ///< os indices of nodes; from: -1 when not known
    int attempts = 0;
    /// Where it was accessed. If several processes map the memory, this one certainly has the page; without
    /// it, any process that maps it is used.
    std::optional<AddressSpaces::Location> seen;
  };
  struct Failure {
    Page page;
    int node = -1;  ///< the page's node; -1: not known
  };

  /// `unit_bytes`: the engine's page size. If it is larger than the system's, one order moves several pages.
  PageMover(Kernel& kernel, std::uint64_t unit_bytes);

  void order(const Page& page, int from, int to, std::optional<AddressSpaces::Location> seen = {});

  /// Carries out the orders if they fill a batch or have waited for `patience` calls. Returns each permanent
  /// failure since the last call once.
  std::vector<Failure> work(const AddressSpaces& spaces, bool all = false);

  const Moves& moves() const { return moves_; }
  std::size_t waiting() const { return orders_.size(); }

 private:
  struct Batch;
  void carry_out(pid_t pid, Batch& batch, std::vector<Failure>& failures);
  void settle(const Order& order, int answer, int seen, std::vector<Failure>& failures);

  Kernel& kernel_;
  std::uint64_t unit_bytes_;
  std::unordered_map<Page, Order, PageHash> orders_;
  Moves moves_;
  int calls_waited_ = 0;
};

/// "the page is hidden or gone", for a negative errno of move_pages.
std::string reason_of(int error);

}  // namespace gable::kmaf::live
