#include "model/virt/advise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/records/names.hpp"

namespace gable::model {
namespace {

constexpr double ns = 1e-9, us = 1e-6;

int levels_of(VirtPages pages) {
  return row_of(pages).levels;
}

Estimate scaled(const Estimate& estimate, double factor) {
  return {estimate.value * factor, estimate.lo * factor, estimate.hi * factor, estimate.n};
}

// The ladder of pages of 2 MiB: hugetlb, which is sure to be what it says, or transparent ones.
std::optional<Estimate> huge_walk(const VirtSummary& summary) {
  const auto hugetlb = walk_cost(summary, VirtPages::huge);
  return hugetlb ? hugetlb : walk_cost(summary, VirtPages::transparent);
}

std::optional<Estimate> walk_of(const VirtSummary& summary, VirtPages pages) {
  return pages == VirtPages::small ? walk_cost(summary, VirtPages::small) : huge_walk(summary);
}

// Where huge pages miss no TLB up to the largest working set, a walk of theirs is taken to cost three
// quarters of one of small pages: it reads three entries instead of four.
std::optional<Estimate> native_walk(const VirtSummary& native) {
  const auto own = huge_walk(native), small = walk_cost(native, VirtPages::small);
  return own || !small ? own : scaled(*small, 0.75);
}

// What a walk costs natively, in ns: the values, or one end of their intervals.
struct Walks {
  double small, huge;
  double of(VirtPages pages) const { return pages == VirtPages::small ? small : huge; }
};

// Nested paging reads an entry of each level of the guest's tables. Each of these addresses, and that of the
// data, takes a walk through the host's tables.
double cost_of_nested_walk(const Walks& walks, VirtPages guest, VirtPages host) {
  return walks.of(guest) + (levels_of(guest) + 1) * walks.of(host);
}

// Calls `of` with the values of both costs, and with the lower and the upper ends of their intervals.
template <class Function>
Estimate with_interval(const Estimate& small, const Estimate& huge, const Function& of) {
  return {of(Walks{small.value, huge.value}), of(Walks{small.lo, huge.lo}), of(Walks{small.hi, huge.hi}),
          std::min(small.n, huge.n)};
}

// Huge pages of the guest in small ones of the host. The TLB keeps them in small pieces, and shadow tables
// have small pages: whichever paging it is, there are as many walks as with small pages of the guest. What
// they save natively is lost.
bool splits_guest_pages(const PagingChoice& choice) {
  return choice.guest_pages == VirtPages::huge && choice.host_pages == VirtPages::small;
}

// Walks for the work of a second, natively and in the guest.
struct WalkCounts {
  double native, guest;
};

WalkCounts walk_counts(const PagingChoice& choice, const VirtWorkload& workload) {
  const double small = workload.misses_4k.value_or(0);
  const double native = choice.guest_pages == VirtPages::small ? small : workload.misses_2m.value_or(0);
  return {native, splits_guest_pages(choice) ? small : native};
}

// How long the work of a second with 4 KiB pages takes natively with the guest's pages.
double native_seconds(const PagingChoice& choice, const VirtWorkload& workload, const Walks& walks) {
  if (choice.guest_pages == VirtPages::small) return 1;
  return 1 - workload.misses_4k.value_or(0) * walks.small * ns +
         workload.misses_2m.value_or(0) * walks.huge * ns;
}

// GUPS natively, with what its table's misses cost more in the guest.
std::optional<HeldAgainst> gups_beside(const VirtSummary& native, const VirtSummary& guest) {
  const VirtFigure *own = native.figure(VirtKind::program, programs::gups, VirtPages::small),
                   *other = guest.figure(VirtKind::program, programs::gups, VirtPages::small);
  const WalkLadder *walks = native.ladder(VirtPages::small), *longer = guest.ladder(VirtPages::small);
  if (own == nullptr || other == nullptr || walks == nullptr || longer == nullptr) return {};
  if (!walks->fit.unknown.empty() || !longer->fit.unknown.empty()) return {};
  if (own->spec.bytes != other->spec.bytes) return {};
  const auto bytes = static_cast<double>(own->spec.bytes);
  const double more_ns = longer->fit.at(bytes) - walks->fit.at(bytes);
  const Estimate to = longer->fit.beyond, from = walks->fit.beyond;
  const double spread = std::hypot((to.hi - to.lo) / 2, (from.hi - from.lo) / 2);
  // Updates overlap, and so do their walks: as much as the accesses of several chains do. A table that is
  // larger than every working set has the costs of the largest, if that is beyond the reach of all levels.
  std::uint64_t like = 0;
  for (const VirtFigure& each : walks->bandwidths) {
    const auto size = static_cast<double>(each.spec.bytes);
    const bool beyond = size > walks->fit.levels.back().reach.hi && size > longer->fit.levels.back().reach.hi;
    if (each.spec.bytes == own->spec.bytes || (each.spec.bytes < own->spec.bytes && beyond))
      like = each.spec.bytes;
  }
  const auto chained = [&](const WalkLadder& ladder) {
    const auto at = std::ranges::find(ladder.bandwidths, like,
                                      [](const VirtFigure& figure) { return figure.spec.bytes; });
    return at == ladder.bandwidths.end() ? 0.0 : 64 / at->estimate.value;  // ns of an access
  };
  const double overlapped = chained(*longer) - chained(*walks);
  const bool known = chained(*longer) > 0 && chained(*walks) > 0;
  const double more = known ? overlapped : more_ns;
  const double share = more_ns > 0 && known ? std::abs(more / more_ns) : 1;
  const auto time_of = [](const VirtFigure& figure) {
    return Estimate{1 / figure.estimate.value, 1 / figure.estimate.hi, 1 / figure.estimate.lo, figure.visits};
  };
  HeldAgainst held{"an update of GUPS, 4 KiB pages", "ns", time_of(*own), time_of(*other)};
  held.predicted.value += more;
  held.predicted.lo += more - share * spread;
  held.predicted.hi += more + share * spread;
  return held;
}

}  // namespace

int walk_reads(int guest, int host) {
  return guest * host + guest + host;
}

std::optional<Estimate> walk_cost(const VirtSummary& summary, VirtPages pages) {
  const WalkLadder* const ladder = summary.ladder(pages);
  if (ladder == nullptr || !ladder->fit.unknown.empty()) return {};
  const std::vector<TlbLevel>& levels = ladder->fit.levels;
  if (levels.size() < 2) return ladder->fit.beyond;
  const double first = levels.front().cost.value;  // a hit of the next level is no walk
  const Estimate& all = ladder->fit.beyond;
  return Estimate{all.value - first, std::max(0.0, all.lo - first), all.hi - first, all.n};
}

std::vector<PagingChoice> paging_choices(const VirtSummary& native, const VirtWorkload& workload,
                                         const ExitCost& exit) {
  const auto small = walk_cost(native, VirtPages::small), huge = native_walk(native);
  if (!small) return {};
  const Walks walks{small->value, huge->value};
  const double switches = workload.switches.value_or(0);
  const double entries = workload.maps.value_or(0) + switches * workload.pages_per_switch;
  const double exits = (entries * exit.per_map + switches) * exit.us * us;
  std::vector<PagingChoice> choices;
  for (const VirtPages guest : {VirtPages::small, VirtPages::huge}) {
    for (const VirtPages host : {VirtPages::small, VirtPages::huge}) {
      PagingChoice choice;
      choice.guest_pages = guest;
      choice.host_pages = host;
      choice.reads = walk_reads(levels_of(guest), levels_of(host));
      choice.native_walk_ns = walks.of(guest);
      choice.nested_walk_ns = with_interval(
          *small, *huge, [&](const Walks& each) { return cost_of_nested_walk(each, guest, host); });
      // A walk through shadow tables has the smaller pages of guest and host.
      const double through_shadow = splits_guest_pages(choice) ? walks.small : walks.of(guest);
      const WalkCounts counts = walk_counts(choice, workload);
      const double more_ns = choice.nested_walk_ns.value - through_shadow;
      choice.break_even = more_ns > 0 ? exits / (more_ns * ns) : std::numeric_limits<double>::infinity();
      choice.known = native_seconds(choice, workload, {small->hi, huge->lo}) > 0;
      if (choice.known) {
        choice.nested = with_interval(*small, *huge, [&](const Walks& each) {
          const double more =
              counts.guest * cost_of_nested_walk(each, guest, host) - counts.native * each.of(guest);
          return std::max(0.0, more) * ns / native_seconds(choice, workload, each);
        });
        const double more = counts.guest * through_shadow - counts.native * walks.of(guest);
        choice.shadow = (exits + std::max(0.0, more) * ns) / native_seconds(choice, workload, walks);
      }
      choices.push_back(choice);
    }
  }
  return choices;
}

std::vector<HeldAgainst> held_against_guest(const VirtSummary& native, const VirtSummary& guest) {
  std::vector<HeldAgainst> all;
  const auto small = walk_cost(native, VirtPages::small), huge = native_walk(native);
  for (const VirtPages pages : {VirtPages::small, VirtPages::huge}) {
    const auto measured = walk_of(guest, pages);
    if (!small || !walk_of(native, pages) || !measured) continue;
    for (const VirtPages host : {VirtPages::small, VirtPages::huge}) {
      const Estimate predicted = with_interval(
          *small, *huge, [&](const Walks& walks) { return cost_of_nested_walk(walks, pages, host); });
      all.push_back({"a walk of " + pages_text(pages) + " pages, host " + std::string(row_of(host).size),
                     "ns", predicted, *measured});
    }
  }
  if (const auto gups = gups_beside(native, guest)) all.push_back(*gups);
  return all;
}

void TlbSimulation::access(std::uint64_t address) {
  const std::uint64_t page = address >> shift_;
  ++accesses_;
  if (!pages_.empty() && page == pages_.front()) return;
  if (const auto known = places_.find(page); known != places_.end()) {
    pages_.splice(pages_.begin(), pages_, known->second);
    return;
  }
  ++misses_;
  if (places_.size() >= entries_) {
    places_.erase(pages_.back());
    pages_.pop_back();
  }
  pages_.push_front(page);
  places_[page] = pages_.begin();
}

}  // namespace gable::model
