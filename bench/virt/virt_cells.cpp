#include "bench/virt/virt_cells.hpp"

#include <algorithm>
#include <bit>

#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "bench/apps/gups.hpp"
#include "bench/plan/plan.hpp"
#include "bench/virt/pages.hpp"
#include "bench/virt/walk.hpp"

namespace gable::bench {

namespace {

using model::VirtCase;
using model::VirtKind;

// How much is measured, by level.
struct Amount {
  int rounds;
  std::uint64_t walk_bytes;  // largest working set
  int steps_per_octave;
  double noise;              // seconds of a record
  std::uint64_t gups_bytes;  // 0: by HPC Challenge's rules
  std::uint64_t triad_bytes, dgemm_bytes, cg_bytes;
  int program_rounds;
};

constexpr Amount amounts[] = {
    {3, 256 * MiB, 1, 0.5, 64 * MiB, 192 * MiB, 8 * MiB, 24 * MiB, 2},
    {3, 512 * MiB, 2, 1, 256 * MiB, 384 * MiB, 24 * MiB, 361 * MiB, 2},
    {9, 4 * GiB, 2, 4, 0, 768 * MiB, 96 * MiB, 361 * MiB, 4},
};

// An emulated machine shows that everything works; its times mean nothing.
constexpr Amount emulated_amount = {2, 8 * MiB, 1, 0.2, 1 * MiB, 4 * MiB, 256 * KiB, 2 * MiB, 1};

class VirtCellList {
 public:
  VirtCellList(const machines::Machine& machine, const machines::Host& host, const VirtOptions& options)
      : machine_(machine),
        options_(options),
        amount_(host.emulated ? emulated_amount : amounts[std::clamp(options.level, 0, 2)]),
        most_bytes_(host.memory_available_bytes.value_or(4 * GiB) / 4),
        gups_bytes_(gups_bytes(host)) {}

  std::vector<VirtCell> all() {
    for (const model::VirtKindRow& row : model::virt_kind_rows) {
      if (options_.kinds.empty() || is_among(options_.kinds, row.value)) add(row.value);
    }
    return std::move(cells_);
  }

 private:
  void add(VirtKind kind) {
    switch (kind) {
      case VirtKind::environment:
        return add({kind, "system", model::VirtPages::none, -1, 0}, 1, 0.001);
      case VirtKind::map:
        return mappings();
      case VirtKind::noise:
        return noises();
      case VirtKind::walk:
        return walks();
      case VirtKind::program:
        return programs();
    }
  }

  void add(const VirtCase& spec, int rounds, double seconds) { cells_.push_back({spec, rounds, seconds}); }

  void mappings() {
    constexpr double visit = 0.02;
    constexpr std::uint64_t bytes = 8 * MiB;
    for (const model::VirtMeasure& row : model::virt_measures) {
      if (row.kind != VirtKind::map) continue;
      add({VirtKind::map, std::string(row.what),
           row.has_memory ? model::VirtPages::small : model::VirtPages::none, -1, row.has_memory ? bytes : 0},
          amount_.rounds, visit);
    }
    for (const model::VirtPages pages :
         {model::VirtPages::transparent, model::VirtPages::huge, model::VirtPages::giant}) {
      if (pages == model::VirtPages::giant && options_.level < 2)
        continue;  // a GiB to clear, again and again
      add({VirtKind::map, std::string(model::mapping::first_touch), pages, -1,
           std::max(2 * bytes, model::row_of(pages).bytes)},
          amount_.rounds, has_pages(pages) ? visit : 0);
    }
  }

  void noises() {
    for (const machines::Cluster& cluster : machine_.clusters) {
      for (const unsigned cpu : pus_of(cluster, 0, false))
        add({VirtKind::noise, "detours", model::VirtPages::none, static_cast<int>(cpu), 0}, amount_.rounds,
            amount_.noise);
    }
  }

  void walks() {
    const std::uint64_t most = std::min(amount_.walk_bytes, most_bytes_);
    for (const model::VirtPages pages : {model::VirtPages::small, model::VirtPages::transparent,
                                         model::VirtPages::huge, model::VirtPages::giant}) {
      per_walk_ = has_pages(pages) ? 1 : 0;
      for (std::uint64_t power = 256 * KiB; power <= most; power *= 2) {
        walk(pages, power, true);
        if (amount_.steps_per_octave > 1 && power / 2 * 3 <= most) walk(pages, power / 2 * 3, false);
      }
    }
  }

  void walk(model::VirtPages pages, std::uint64_t bytes, bool whole_octave) {
    constexpr double least = 0.004, per_line = 8e-7;
    const double seconds = per_walk_ * (least + per_line * static_cast<double>(bytes / spread_bytes));
    const auto of = [&](std::string_view what) {
      add({VirtKind::walk, std::string(what), pages, -1, bytes}, amount_.rounds, seconds);
    };
    of(model::walks::latency);
    if (whole_octave) of(model::walks::bandwidth);
    if (pages == model::VirtPages::small || pages == model::VirtPages::transparent) of(model::walks::packed);
  }

  // A table beyond the reach of the TLB and of the caches of page-table entries, or HPC Challenge's; a
  // smaller power of two where the free memory does not hold it.
  std::uint64_t gups_bytes(const machines::Host& host) const {
    const std::uint64_t by_rules = gups_bytes_by_rules(host);
    if (amount_.gups_bytes > 0 || by_rules == 0)
      return std::bit_floor(std::min(amount_.gups_bytes > 0 ? amount_.gups_bytes : GiB, most_bytes_));
    const std::uint64_t free = host.memory_available_bytes.value_or(2 * by_rules);
    return std::min(by_rules, std::bit_floor(free - free / 8));
  }

  // Updates and their check take as long as each other, and the table is filled twice.
  void gups(model::VirtPages pages) {
    constexpr double fill = 1e-9, small_table = 1.2e-8;  // seconds a byte
    const double large_table = pages == model::VirtPages::small ? 5e-8 : 2.4e-8;
    const auto bytes = static_cast<double>(gups_bytes_);
    const double updates = bytes * (gups_bytes_ < GiB ? small_table : large_table);
    const double seconds = std::min(updates, 2 * random_access_seconds) + fill * bytes;
    const bool is_long = seconds > random_access_seconds;
    add({VirtKind::program, std::string(model::programs::gups), pages, -1, gups_bytes_},
        is_long ? 1 : amount_.program_rounds, seconds);
  }

  void programs() {
    constexpr double per_byte[] = {1.5e-9, 2e-8, 1.2e-8};
    const auto program = [&](std::string_view what, model::VirtPages pages, std::uint64_t bytes,
                             double seconds) {
      add({VirtKind::program, std::string(what), pages, -1, bytes}, amount_.program_rounds,
          seconds * static_cast<double>(bytes));
    };
    for (const model::VirtPages pages : {model::VirtPages::small, model::VirtPages::transparent}) {
      gups(pages);
      program(model::programs::triad, pages, std::min(amount_.triad_bytes, most_bytes_), per_byte[0]);
    }
    program(model::programs::dgemm, model::VirtPages::none, std::min(amount_.dgemm_bytes, most_bytes_),
            per_byte[1]);
    program(model::programs::cg, model::VirtPages::none, std::min(amount_.cg_bytes, most_bytes_),
            per_byte[2]);
    if (options_.level < 2) cells_.back().rounds = 1;  // its 149 iterations are repetitions enough
  }

  const machines::Machine& machine_;
  const VirtOptions& options_;
  const Amount amount_;
  double per_walk_ = 1;
  std::uint64_t most_bytes_;  // of any cell but GUPS by the rules: other memory stays free
  std::uint64_t gups_bytes_;
  std::vector<VirtCell> cells_;
};

}  // namespace

std::uint64_t gups_bytes_by_rules(const machines::Host& host) {
  return random_access_bytes(host.memory_limit_bytes > 0 ? host.memory_limit_bytes : host.memory_bytes);
}

std::vector<VirtCell> virt_cells(const machines::Machine& machine, const machines::Host& host,
                                 const VirtOptions& options) {
  return VirtCellList(machine, host, options).all();
}

}  // namespace gable::bench
