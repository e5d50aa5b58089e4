#include "bench/memory/tier_cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "bench/plan/plan.hpp"

namespace gable::bench {

namespace {

using kernels::Kernel;
using model::TierCase;

constexpr std::uint64_t least_bytes = 64 << 10;

// The number of threads, and whether they share cores.
struct Threads {
  int count;
  bool smt;
  model::Note skip;
};

std::vector<Threads> without_smt(const machines::Cluster& cluster, int most) {
  const auto cores = static_cast<int>(cluster.cores.size());
  const int all = most > 0 ? std::min(most, cores) : cores;
  std::vector<Threads> counts;
  for (int count = 1; count < all; count *= 2) counts.push_back({count, false, {}});
  counts.push_back({all, false, {}});
  return counts;
}

Threads with_smt(const machines::Cluster& cluster) {
  const auto all = static_cast<int>(pus_of(cluster, 0, true).size());
  if (all > static_cast<int>(cluster.cores.size())) return {all, true, {}};
  return {all, true, model::NoteCode::no_second_threads};
}

// The widest ISA that the CPU can run.
const Kernel* widest(const std::string& op, std::uint32_t features) {
  const Kernel* best = nullptr;
  for (const Kernel& kernel : kernels::all()) {
    if (op != kernel.op || !kernels::runs(kernel, features)) continue;
    if (best == nullptr || kernel.vector_bytes > best->vector_bytes) best = &kernel;
  }
  return best;
}

// How a store leaves the caches. CLFLUSHOPT can replace CLWB: it differs only in evicting the line. AArch64
// has DC CVAP.
std::vector<std::string> ways(std::uint32_t features) {
  if (kernels::exists("store_cvap")) return {"store", "cvap", "nt"};
  const bool only_flushes = !(features & kernels::clwb) && (features & kernels::clflushopt);
  if (only_flushes) return {"store", "clwb", "clflushopt", "nt"};
  return {"store", "clwb", "nt"};
}

// The end of the names of the way's kernels.
std::string suffix_of(const std::string& way) {
  return model::stays_in_caches(way) ? "" : "_" + way;
}

class TierCellList {
 public:
  TierCellList(const std::string& tier, const machines::Cluster& cluster, const TierOptions& options,
               std::uint32_t features)
      : options_(options), features_(features) {
    like_.tier = tier;
    like_.order = "sequential";
    like_.cluster = cluster.index;
    like_.bytes = memory_working_set(cluster, 1, options.memory_set_bytes);
    threads_ = without_smt(cluster, options.threads);
    hardware_threads_ = with_smt(cluster);
  }

  std::vector<TierCell> all() {
    for (const Threads& threads : threads_) streams(threads);
    streams(hardware_threads_);
    for (const Threads& threads : threads_) blocks(threads);
    if (options_.smt) blocks(hardware_threads_);
    TierCase latency = like_;
    latency.what = "latency";
    latency.order = "random";
    latency.threads = 1;
    cells_.push_back({latency, kernels::find("chase", kernels::general_isa), {}});
    return std::move(cells_);
  }

 private:
  void add(const Threads& threads, TierCase spec, const std::string& op) {
    spec.threads = threads.count;
    spec.smt = threads.smt;
    TierCell cell = {spec, widest(op, features_), threads.skip};
    if (cell.kernel == nullptr && cell.skip.empty())
      cell.skip = {model::NoteCode::no_instructions,
                   {spec.way == "clwb"   ? "CLWB"
                    : spec.way == "cvap" ? "DC CVAP for lines of 64 bytes"
                                         : "instructions for " + op}};
    if (!cell.skip.empty()) cell.kernel = nullptr;
    cells_.push_back(std::move(cell));
  }

  void streams(const Threads& threads) {
    TierCase spec = like_;
    spec.what = "load";
    add(threads, spec, "load");
    add_reads(threads, spec);
    spec.what = "store";
    for (const std::string& way : ways(features_)) {
      spec.way = way;
      add(threads, spec, "store" + suffix_of(way));
    }
    for (const char* what : {"copy", "scale", "add", "triad"}) {
      spec.what = what;
      for (const char* way : {"store", "nt"}) {
        spec.way = way;
        add(threads, spec, spec.way == "nt" ? spec.what + "_nt" : spec.what);
      }
    }
  }

  void add_reads(const Threads& threads, TierCase spec) {
    spec.order = "random";
    for (const std::uint64_t bytes : read_blocks) {
      spec.access_bytes = bytes;
      add(threads, spec, fmt::format("read{}", bytes));
    }
  }

  void blocks(const Threads& threads) {
    TierCase spec = like_;
    spec.what = "store";
    for (const std::string& way : ways(features_)) {
      spec.way = way;
      for (const char* order : {"sequential", "random"}) {
        spec.order = order;
        for (const std::uint64_t bytes : options_.accesses) {
          spec.access_bytes = bytes;
          add(threads, spec, fmt::format("block{}{}", bytes, suffix_of(way)));
        }
      }
    }
  }

  const TierOptions& options_;
  std::uint32_t features_;
  TierCase like_;
  std::vector<Threads> threads_;
  Threads hardware_threads_;
  std::vector<TierCell> cells_;
};

}  // namespace

std::vector<TierCell> tier_cells(const std::string& name, const machines::Cluster& cluster,
                                 const TierOptions& options, std::uint32_t features) {
  return TierCellList(name, cluster, options, features).all();
}

std::uint64_t tier_share(std::uint64_t bytes, int threads) {
  const auto count = static_cast<std::uint64_t>(std::max(1, threads));
  return std::bit_ceil(std::max(least_bytes, (bytes + count - 1) / count));
}

std::uint64_t tier_bytes(const std::vector<TierCell>& cells) {
  std::uint64_t most = 0;
  for (const TierCell& cell : cells) {
    if (cell.kernel == nullptr) continue;
    most = std::max(
        most, tier_share(cell.spec.bytes, cell.spec.threads) * static_cast<std::uint64_t>(cell.spec.threads));
  }
  return most;
}

}  // namespace gable::bench
