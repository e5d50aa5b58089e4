#pragma once

// The better paging for a workload (Palacios paper, section 5): the costs of nested and shadow paging.
//
// A walk natively reads g entries of page tables, one for each level. With nested paging every one of them,
// and the data's address, is an address of the guest that takes a walk of h levels itself: g*h + g + h reads.
// Page tables have 4 levels for pages of 4 KiB and 3 for 2 MiB. The paper counts 24 reads for 4 KiB, as this
// formula does, and says 14 where the host's pages have 2 MiB; the formula gives 4*3 + 4 + 3 = 19.
//
// Tables of 2 MiB pages are 512 times smaller, so that their entries stay in caches and cost less. So every
// read has the price of its own page size: a nested walk costs a native walk of the guest's page size, and
// g + 1 native walks of the host's.

#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/virt/summary.hpp"

namespace gable::model {

/// Reads of a walk through tables of `guest` levels under nested tables of `host` levels; 0: natively.
int walk_reads(int guest, int host);

/// What a workload does in a second of a native run with pages of 4 KiB, where it is known.
struct VirtWorkload {
  std::optional<double> misses_4k;  ///< walks
  std::optional<double> misses_2m;  ///< walks for the same work with pages of 2 MiB
  std::optional<double> maps;       ///< page-table entries that change
  std::optional<double> switches;   ///< of the address space
  double pages_per_switch = 0;  ///< touched after each switch, which shadow paging without a cache maps anew
};

/// The cost of an exit from the guest with shadow paging, if it was not measured. Both figures are
/// assumptions of Gable. The paper only gives O(1000) cycles for an interrupt that leaves the guest and is
/// injected again (section 3.2), on CPUs of 2.2 GHz.
struct ExitCost {
  double us = 0.45;    ///< 1000 cycles at 2.2 GHz
  double per_map = 2;  ///< exits to change an entry: the fault, and the write to the table
};

/// Cost of a walk, in ns: what misses of all levels of the TLB but the first cost together. Nothing without a
/// fit.
std::optional<Estimate> walk_cost(const VirtSummary& summary, VirtPages pages);

struct PagingChoice {
  VirtPages guest_pages = VirtPages::small, host_pages = VirtPages::small;  ///< "4k", "2m"
  int reads = 0;                                                            ///< of a nested walk
  double native_walk_ns = 0;
  Estimate nested_walk_ns;  ///< predicted, each read at the price of its page size
  /// False: the walks would take all of the time one after the other, so they overlap, and the native time
  /// with the guest's pages is not known.
  bool known = true;
  Estimate nested;    ///< predicted overhead, as a share of the native time with the guest's pages
  double shadow = 0;  ///< the same
  /// Walks a second, of the guest's pages natively, at which both cost the same; where the host's pages are
  /// smaller, of the host's. Infinite: nested paging never costs more.
  double break_even = 0;
};

/// The choices are guest pages of 4 KiB and 2 MiB under host pages of either. Guest pages of 2 MiB in host
/// pages of 4 KiB take the walks of 4 KiB pages, as the TLB keeps the smaller of both. Empty where the native
/// folder has no cost of walks of 4 KiB pages. What is not known of the workload counts 0.
std::vector<PagingChoice> paging_choices(const VirtSummary& native, const VirtWorkload& workload,
                                         const ExitCost& exit);

/// A prediction beside what the guest measured.
struct HeldAgainst {
  std::string what, unit;
  Estimate predicted, measured;
  bool agrees() const { return predicted.lo <= measured.hi && measured.lo <= predicted.hi; }
};

/// Walks of both page sizes; and GUPS, from the misses that its table must have and the walks measured.
std::vector<HeldAgainst> held_against_guest(const VirtSummary& native, const VirtSummary& guest);

/// Misses of a TLB that keeps the most recently used pages.
class TlbSimulation {
 public:
  TlbSimulation(std::size_t entries, int page_shift) : entries_(entries), shift_(page_shift) {}
  void access(std::uint64_t address);
  std::uint64_t accesses() const { return accesses_; }
  std::uint64_t misses() const { return misses_; }

 private:
  std::size_t entries_;
  int shift_;
  std::uint64_t accesses_ = 0, misses_ = 0;
  std::list<std::uint64_t> pages_;  // the one used last in front
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> places_;
};

}  // namespace gable::model
