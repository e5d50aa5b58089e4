#pragma once

// Moves pages in batches and counts successes and failures. The kernel is asked for the nodes of the pages
// before and after. Pages on other nodes than the managed ones stay, and so do pages that a memory policy
// binds.

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "kmaf/engine/affinity_table.hpp"
#include "kmaf/live/movers/kernel.hpp"
#include "kmaf/live/program/address_space.hpp"

namespace gable::kmaf::live {

// Which pages the program's memory policies let move.

class PagePolicies {
 public:
  explicit PagePolicies(Kernel& kernel) : kernel_(kernel) {}

  /// False: not yet, because reading takes long in large processes, and at most a twentieth of the time is
  /// spent on it.
  bool may_read() const;
  void read(pid_t pid);

  /// Whether the page may move to that node (os index), by the last reading. `tid`: the thread that accessed
  /// it, whose policy counts where the mapping has none; 0: not known. No value if the policies cannot be
  /// read.
  std::optional<bool> let(pid_t pid, pid_t tid, std::uint64_t address, int node);

  /// Whether the page was to stay where it is when the policies were last read, not long ago.
  bool keep(pid_t pid, std::uint64_t address) const;

  void forget(pid_t pid) { processes_.erase(pid); }

 private:
  struct Process {
    double read_at = 0;  // seconds
    std::vector<MappingPolicy> mappings;
    std::map<pid_t, std::optional<MemoryPolicy>> threads;
    const MemoryPolicy* of_page(std::uint64_t address) const;
  };
  Kernel& kernel_;
  double pauses_until_ = 0;  // seconds
  std::map<pid_t, Process> processes_;
};

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
    /// The place where it was accessed. If several processes map the memory, this one certainly has the page;
    /// without it, any process that maps it is used.
    std::optional<AddressSpaces::Location> seen;
    pid_t thread = 0;  ///< that accessed it; 0: not known
  };
  struct Failure {
    Page page;
    int node = -1;  ///< the page's node; -1: not known
  };

  /// `unit_bytes`: the engine's page size. If it is larger than the system's, one order moves several pages.
  /// `nodes`: the managed ones (os indices).
  PageMover(Kernel& kernel, std::uint64_t unit_bytes, const std::vector<unsigned>& nodes);

  void order(const Page& page, int from, int to, std::optional<AddressSpaces::Location> seen = {},
             pid_t thread = 0);

  /// Whether the page at this address is known to stay because of a memory policy.
  bool is_kept(const AddressSpaces::Location& at) const { return policies_.keep(at.pid, at.address); }

  /// The process has ended, or executes another program.
  void forget(pid_t pid) { policies_.forget(pid); }

  /// Carries out the orders if they fill a batch or have waited for `patience` calls, and if it is time to
  /// read the memory policies again. Returns each permanent failure since the last call once.
  std::vector<Failure> work(const AddressSpaces& spaces, bool all = false);

  const Moves& moves() const { return moves_; }
  std::size_t waiting() const { return orders_.size(); }

 private:
  struct Batch;
  struct State;
  void carry_out(pid_t pid, Batch& batch, std::vector<Failure>& failures);
  std::vector<State> moved(pid_t pid, const Batch& batch, std::size_t begin, std::size_t end);
  const char* why_kept(pid_t pid, const Order& order, std::uint64_t address, int node);
  void settle(const Order& order, const State& state, std::vector<Failure>& failures);

  Kernel& kernel_;
  std::uint64_t unit_bytes_;
  std::size_t pages_of_unit_;
  std::set<int> nodes_;
  PagePolicies policies_;
  std::unordered_map<Page, Order, PageHash> orders_;
  Moves moves_;
  int calls_waited_ = 0;
};

/// "the page is hidden or gone", for a negative errno of move_pages.
std::string reason_of(int error);

}  // namespace gable::kmaf::live
