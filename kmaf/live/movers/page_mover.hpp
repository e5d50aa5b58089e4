#pragma once

// Moves pages in batches, asks the kernel where they lie afterwards, and keeps account of it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kmaf/live/movers/kernel.hpp"
#include "kmaf/live/program/address_space.hpp"

namespace gable::kmaf::live {

/// How often something was done, and how often it failed, by reason.
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
    /// Where it was accessed. Of what several processes map, this one has the page for certain; without, any
    /// process that maps the place.
    std::optional<AddressSpaces::Location> seen;
  };
  struct Failure {
    Page page;
    int node = -1;  ///< where it lies; -1: not known
  };

  /// `unit_bytes` is the engine's page; several of the system's pages move for one order where it is larger.
  PageMover(Kernel& kernel, std::uint64_t unit_bytes);

  void order(const Page& page, int from, int to, std::optional<AddressSpaces::Location> seen = {});

  /// Carries out what was ordered, when it is a batch or has waited for `patience` calls. What failed for
  /// good since the last call is told once.
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
