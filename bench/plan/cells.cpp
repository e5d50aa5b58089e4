#include "bench/plan/cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "base/lists.hpp"
#include "bench/plan/cell_maker.hpp"
#include "bench/plan/grid_cells.hpp"
#include "bench/plan/side_cache.hpp"
#include "bench/plan/validation_cells.hpp"
#include "kernels/kernel.hpp"
#include "model/domain/latency_class.hpp"

namespace gable::bench {

namespace {

using machines::Cluster;
using machines::Machine;
using model::Case;

constexpr std::string_view basic_operations[] = {"load", "store", "store_nt", "mix2_1"};
constexpr std::string_view further_operations[] = {"load_nt", "copy",   "copy_nt", "scale",    "scale_nt",
                                                   "add",     "add_nt", "triad",   "triad_nt", "ddot"};
constexpr std::string_view memory_operations[] = {
    "mix8_1",     "mix4_1",           "mix3_1",     "mix3_2",    "mix1_1",    "mix2_3",    "mix1_2",
    "mix1_3",     "mix1_4",           "mix1_8",     "mix8_1_nt", "mix4_1_nt", "mix3_1_nt", "mix2_1_nt",
    "mix3_2_nt",  "mix1_1_nt",        "mix2_3_nt",  "mix1_2_nt", "mix1_3_nt", "mix1_4_nt", "mix1_8_nt",
    "store_clwb", "store_clflushopt", "store_cvap", "store_zva"};
constexpr std::string_view peaks[] = {"fma",        "add",        "mul",        "div",        "sqrt",
                                      "add_scalar", "fma_scalar", "div_scalar", "sqrt_scalar"};

bool is_load(std::string_view op) {
  return op == model::operations::load.name();
}

class Cells : public CellMaker {
 public:
  using CellMaker::CellMaker;

  void make() {
    for (const Cluster& cluster : machine_.clusters) {
      add_peaks(cluster);
      add_branches(cluster);
      add_operations(cluster);
      add_caches(cluster);
      add_ladder(cluster);
    }
    for (const auto& [pattern, targets] : memory_patterns()) {
      for (const Target& target : targets(machine_)) add_memory(pattern, target);
    }
  }

 private:
  std::vector<std::string> peak_isas() const {
    if (options_.isa.empty() && options_.preset->every_isa) return kernels::isas();
    return {isas_to_try().front()};
  }

  // The peaks of the fastest ISA are roofs. Programs also consist of narrower vectors and of scalars.
  void add_peaks(const Cluster& cluster) {
    const std::string fastest = isas_to_try().front();
    for (const std::string& isa : peak_isas()) {
      for (const std::string_view op : peaks) {
        for (const auto& [precision, word, unused, bytes] : model::precision_rows) {
          const std::string kernel = fmt::format("{}_{}", op, word);
          const bool is_other = isa != fastest;
          if (bytes == 0 || (is_other && (op.ends_with("_scalar") || !kernels::find(kernel, isa)))) continue;
          Case spec = base(cluster, model::Kind::flops, model::Level::core(), model::Pattern::core);
          const model::Note skip = set_kernel(spec, kernel, isa);
          spec.op = model::Operation(op);
          spec.precision = precision;
          add_peak(std::move(spec), skip, is_other);
        }
      }
    }
  }

  void add_peak(Case spec, const model::Note& skip, bool is_other) {
    const bool slow = is_other || model::is_slow(spec.op);
    const int priority = slow ? 4 : spec.op == model::operations::fma ? 1 : 2;
    add_single(std::move(spec), skip, priority, slow ? options_.preset->grid_rounds : options_.preset->rounds,
               options_.preset->visit_seconds);
  }

  // The cost of a mispredicted branch is computed from both (model/roofs/per_cycle.hpp).
  void add_branches(const Cluster& cluster) {
    for (const model::Operation& op : {model::operations::branch_random, model::operations::branch_steady})
      add_of_one_thread(cluster, model::Kind::branch, op.name(), options_.preset->grid_rounds,
                        options_.preset->visit_seconds);
  }

  // Few short visits suffice: nothing but the clock changes these times.
  void add_operations(const Cluster& cluster) {
    for (const model::LatencyClassRow& row : model::latency_class_rows) {
      if (!row.operation.empty())
        add_of_one_thread(cluster, model::Kind::operation, row.operation, options_.preset->grid_rounds,
                          options_.preset->ladder_seconds);
    }
  }

  void add_of_one_thread(const Cluster& cluster, model::Kind kind, std::string_view op, int rounds,
                         double seconds) {
    Case spec = base(cluster, kind, model::Level::core(), model::Pattern::core);
    spec.threads = 1;
    spec.smt = false;
    const model::Note skip = set_kernel(spec, op, std::string(kernels::general_isa));
    add_single(std::move(spec), skip, 4, rounds, seconds);
  }

  std::vector<std::string_view> operations(bool memory) const {
    std::vector<std::string_view> all(std::begin(basic_operations), std::end(basic_operations));
    if (!options_.preset->all_operations) return all;
    all.insert(all.end(), std::begin(further_operations), std::end(further_operations));
    if (memory) all.insert(all.end(), std::begin(memory_operations), std::end(memory_operations));
    std::erase_if(all, [](std::string_view op) { return !kernels::exists(op); });
    return all;
  }

  std::vector<std::string_view> cache_operations() const {
    std::vector<std::string_view> all = operations(false);
    std::erase_if(all, [](std::string_view op) { return model::bypasses_caches(model::Operation(op)); });
    return all;
  }

  // The first figures: the bandwidth of L1 and of local memory, and its latency.
  bool is_first(std::string_view op, model::Pages pages, const std::string& isa) const {
    return is_load(op) && pages == pages_.front() && isa == isas_to_try().front();
  }

  // Local cells: the preferred pages first, then other operations and pages.
  int local_priority(std::string_view op, model::Pages pages) const {
    const bool first_pages = pages == pages_.front();
    if (is_load(op)) return first_pages ? 1 : 3;
    const bool basic = std::ranges::find(basic_operations, op) != std::end(basic_operations);
    return basic ? (first_pages ? 2 : 4) : 6;
  }

  void add_caches(const Cluster& cluster) {
    const Preset& preset = *options_.preset;
    for (std::size_t i = 0; i < cluster.caches.size(); ++i) {
      for (const model::Pages pages : pages_) {
        for (const std::string_view op : cache_operations()) {
          for (const auto& [isa, variant] : kernels_to_try(variants_to_try(op, place_of_cache(i == 0)))) {
            const int priority = i == 0 && is_first(op, pages, isa) ? 0 : local_priority(op, pages);
            add_cached(cluster, i, model::Kind::bandwidth, pages, variant, isa, priority, preset.rounds,
                       preset.visit_seconds);
          }
        }
        add_cached(cluster, i, model::Kind::latency, pages, "chase", isas_to_try().front(),
                   pages == pages_.front() ? 2 : 4, preset.rounds, preset.visit_seconds / 2);
      }
    }
  }

  // All steps of one kind in a row: changing between chase and streams rewrites the buffer.
  void add_ladder(const Cluster& cluster) {
    for (const bool latency : {false, true}) {
      const std::uint64_t top = memory_bytes(cluster, 1);
      for (std::uint64_t size = 4096; size <= top; size *= 2) {
        add_step(cluster, size, latency);
        // A pure load reads 4 KiB per iteration, so 6 KiB would repeat the first step.
        const bool between = options_.preset->steps_per_octave == 2 && size > 4096 && size / 2 * 3 <= top;
        if (between) add_step(cluster, size / 2 * 3, latency);
      }
    }
  }

  void add_step(const Cluster& cluster, std::uint64_t bytes, bool latency) {
    const auto node = home(cluster);
    Case spec = base(cluster, latency ? model::Kind::latency : model::Kind::bandwidth, model::Level::any(),
                     model::Pattern::ladder);
    spec.pages = pages_.front();
    spec.node = static_cast<int>(node->os_index);
    spec.tier = node->tier;
    spec.threads = 1;
    spec.bytes = bytes;
    const bool first_cache = cluster.caches.empty() || bytes <= cluster.caches.front().bytes;
    const model::Note skip =
        set_kernel(spec, latency ? "chase" : variants_to_try("load", place_of_cache(first_cache)).back());
    add_single(std::move(spec), skip, 2, options_.preset->ladder_rounds, options_.preset->ladder_seconds);
  }

  // Memory whose usual working set is held by memory-side caches.
  void add_beyond_side_caches(model::Pattern pattern, const Target& target) {
    const bool local = pattern == model::Pattern::local;
    constexpr int most_rounds = 3, priority = 4;
    for (const std::string_view op : basic_operations) {
      if (!local && !is_load(op)) continue;
      Run run = memory_run(pattern, target, pages_.front(), model::Kind::bandwidth, op, isas_to_try().front(),
                           priority);
      if (!run.skip.empty() || is_memory(run.cases.front().level)) continue;
      for (Case& spec : run.cases) spec.tier = target.tier;
      run = beyond_side_caches(machine_, std::move(run));
      run.rounds = std::min(run.rounds, most_rounds);
      if (run.skip.empty() && pattern == model::Pattern::remote) run.skip = beyond_reason(run);
      push(std::move(run));
    }
    if (!local) return;
    Run chase = memory_run(pattern, target, pages_.front(), model::Kind::latency, "chase",
                           std::string(kernels::general_isa), priority);
    if (!chase.skip.empty() || is_memory(chase.cases.front().level)) return;
    chase.cases.front().level = model::Level::memory();
    chase.cases.front().tier = target.tier;
    chase.skip = model::NoteCode::chase_hits_side_cache;
    push(std::move(chase));
  }

  static model::Note beyond_reason(const Run& run) {
    const Case& spec = run.cases.front();
    const auto all = spec.bytes * static_cast<std::uint64_t>(spec.threads);
    return {model::NoteCode::slow_behind_side_cache, {double(all)}};
  }

  void add_memory(model::Pattern pattern, const Target& target) {
    const bool local = pattern == model::Pattern::local;
    const bool everywhere = local || options_.preset->all_pages;
    for (const model::Pages pages : pages_) {
      if (!everywhere && pages != pages_.front()) continue;
      for (const std::string_view op : operations(local)) {
        for (const std::string& isa : isas_to_try()) {
          const bool in_general = kernels::find(op, kernels::general_isa) != nullptr;
          if ((!local || in_general) && isa != isas_to_try().front()) continue;
          for (const std::string& variant : variants_to_try(op, &model::Variant::in_memory)) {
            const int priority = !local                          ? (is_load(op) ? 3 : 5)
                                 : is_first(variant, pages, isa) ? 0
                                                                 : local_priority(op, pages);
            push(memory_run(pattern, target, pages, model::Kind::bandwidth, variant, isa, priority));
          }
        }
      }
    }
    if (target.skip.empty()) add_beyond_side_caches(pattern, target);
    const std::string general(kernels::general_isa);
    if (target.shares.size() != 1 || !target.skip.empty() || !is_one_to_one(pattern)) return;
    for (const model::Pages pages : pages_) {
      const int priority = pages != pages_.front() ? 3 : local ? 0 : 2;
      push(memory_run(pattern, target, pages, model::Kind::latency, "chase", general, priority));
    }
    add_random(pattern, target, local ? 4 : 5);
    if (local) add_window(target);
    if (!local && !options_.preset->all_pages) return;
    for (int step = 0; step <= options_.preset->load_steps; ++step) {
      Run run = memory_run(pattern, target, pages_.front(), model::Kind::loaded_latency, "chase", general,
                           local ? 4 : 5);
      run.cases.front().load_percent = step * 100 / options_.preset->load_steps;
      if (run.cases.front().threads < 2 && run.skip.empty()) run.skip = model::NoteCode::one_core;
      push(std::move(run));
    }
  }

  // Each size of pages counts by itself, as TLBs limit these loads, and so does one thread.
  void add_random(model::Pattern pattern, const Target& target, int priority) {
    for (const model::Pages pages : pages_) {
      for (const bool alone : {false, true}) {
        Run run = memory_run(pattern, target, pages, model::Kind::random, model::operations::random.name(),
                             std::string(kernels::general_isa), priority, alone);
        run.rounds = options_.preset->grid_rounds;
        const int threads = run.cases.front().threads;
        push(std::move(run));
        if (threads == 1) break;  // all are one
      }
    }
  }

  // The numbers of instructions and of stores that a core works on at once follow from it and the latency
  // there (model/roofs/window.hpp).
  void add_window(const Target& target) {
    const auto run_of = [&](const model::Operation& op) {
      return memory_run(model::Pattern::local, target, pages_.front(), model::Kind::window, op.name(),
                        std::string(kernels::general_isa), 4, true);
    };
    push(run_of(model::operations::random_apart));
    Run stores = run_of(model::operations::store_apart);
    stores.rounds = options_.preset->grid_rounds;
    push(std::move(stores));
  }
};

}  // namespace

std::vector<model::Pages> page_sizes(const Options& options) {
  if (options.pages.empty()) return {model::huge_pages(), model::small_pages()};
  return distinct(options.pages, std::identity());
}

std::vector<Run> make_cells(const Machine& machine, const machines::Host& host, const Options& options) {
  Cells cells(machine, host, options);
  cells.make();
  std::vector<Run> runs = cells.take();
  GridCells grid(machine, host, options);
  grid.make();
  std::ranges::move(grid.take(), std::back_inserter(runs));
  ValidationCells validation(machine, host, options);
  validation.make();
  std::ranges::move(validation.take(), std::back_inserter(runs));
  return runs;
}

}  // namespace gable::bench
