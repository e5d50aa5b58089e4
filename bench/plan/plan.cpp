#include "bench/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "base/nearest.hpp"
#include "base/numbers.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/plan/cells.hpp"
#include "bench/plan/filter.hpp"
#include "bench/plan/patterns.hpp"
#include "bench/schedule/at_once.hpp"
#include "bench/schedule/costs.hpp"
#include "bench/schedule/likeness.hpp"
#include "bench/schedule/race.hpp"
#include "bench/schedule/regions.hpp"
#include "kernels/kernel.hpp"
#include "model/records/small_set.hpp"

namespace gable::bench {

using model::Case;

std::string placement(const Run& run) {
  std::string text = run.cases.front().pages;
  if (run.first_pass) text += " large";  // other runs need no buffers of this size
  for (const Share& share : run.shares) {
    text += fmt::format(" {}:", share.cluster);
    for (const unsigned node : share.nodes) text += fmt::format("{},", node);
    if (share.node_percent >= 0) text += fmt::format(" {} %", share.node_percent);
    if (share.node_weight > 0) text += fmt::format(" {}:{}", share.node_weight, share.other_weight);
  }
  return text;
}

bool all_stream(const Case& asked) {
  return asked.kind == "bandwidth" || asked.kind == "validation";
}

namespace {

void note_memory_set(const machines::Machine& machine, const Options& options, std::vector<Run>& runs) {
  const std::uint64_t bytes = options.memory_set_bytes;
  for (Run& run : runs) {
    const Case& first = run.cases.front();
    if (bytes == 0 || (first.level != "memory" && first.level != machines::memory_side_cache_level(machine)))
      continue;
    const std::uint64_t usual =
        usual_memory_set(machine.clusters.at(static_cast<std::size_t>(first.cluster)));
    if (bytes == usual) continue;
    run.notes.push_back(fmt::format("--memory-set: {} per cluster", bytes_text(bytes)) +
                        (bytes < usual ? fmt::format(" {} of {}", model::small_set_words, bytes_text(usual))
                                       : fmt::format(", the default is {}", bytes_text(usual))));
  }
}

// What --only is mostly given.
std::vector<std::string> usual_values() {
  std::vector<std::string> words = {"bandwidth",  "flops",  "latency", "loaded_latency",
                                    "validation", "memory", "ladder"};
  for (const kernels::Kernel& kernel : kernels::all()) words.insert(words.end(), {kernel.op, kernel.name});
  for (const Pattern& pattern : patterns()) words.emplace_back(pattern.name);
  return words;
}

std::string nothing_left(const Options& options) {
  std::string text = "nothing to measure: no cell of this plan matches";
  for (const std::string& filter : options.only) text += fmt::format(" --only {}", filter);
  const std::vector<std::string> known = usual_values();
  for (const std::string& value : filter_values(options.only)) {
    if (std::ranges::find(known, value) == known.end()) text += did_you_mean(value, known);
  }
  return text + " (a comma means and, a repeated --only means or; --list names the cells)";
}

void check_memory_set(const machines::Machine& machine, std::uint64_t bytes) {
  std::uint64_t most = 0;
  for (const machines::Node& node : machine.nodes) most = std::max(most, node.bytes);
  if (bytes > most && most > 0) {
    throw std::invalid_argument(
        fmt::format("--memory-set: {} is more than any memory node has; the largest has {}",
                    bytes_text(bytes), bytes_text(most)));
  }
  for (const machines::Cluster& cluster : machine.clusters) {
    const std::uint64_t least = least_memory_set(cluster);
    if (bytes == 0 || bytes >= least) continue;
    throw std::invalid_argument(
        fmt::format("--memory-set: {} would fit partly in the caches of cluster {}; give {} MiB or more",
                    bytes_text(bytes), cluster.index, (least + MiB - 1) / MiB));
  }
}

}  // namespace

void check_options(const machines::Machine& machine, const Options& options) {
  check_filters(options.only);
  const std::vector<std::string> page_sizes_here = page_names();
  for (const std::string& pages : options.pages) {
    if (std::ranges::find(page_sizes_here, pages) == page_sizes_here.end()) {
      throw std::invalid_argument(
          fmt::format("--pages {}: page sizes are {}", pages, fmt::join(page_sizes_here, ", ")));
    }
  }
  const auto isas = kernels::isas();
  check_memory_set(machine, options.memory_set_bytes);
  if (!options.isa.empty() && std::ranges::find(isas, options.isa) == isas.end())
    throw std::invalid_argument(
        fmt::format("--isa {}: this CPU runs {}", options.isa, fmt::join(isas, ", ")));
}

Plan in_order(std::vector<Run> runs) {
  set_room(runs);
  std::ranges::stable_sort(runs, {}, [](const Run& run) { return std::tuple(run.priority, placement(run)); });
  Plan plan;
  plan.runs = std::move(runs);
  for (const Run& run : plan.runs) plan.rounds = std::max(plan.rounds, run.skip.empty() ? run.rounds : 1);
  set_costs(plan);
  return plan;
}

void describe_shares(const machines::Machine& machine, const Options& options, std::vector<Run>& runs) {
  constexpr std::uint64_t most_swept = 200 * MiB;  // few caches are larger
  for (Run& run : runs) {
    for (Share& share : run.shares) {
      const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(share.cluster));
      share.hands = static_cast<int>(pus_of(cluster, options.threads, options.smt).size());
      share.own =
          share.nodes.size() == 1 && share.node_percent < 0 && is_local_to(cluster, share.nodes.front());
      const std::uint64_t caches = last_level_bytes(cluster);
      run.swept_bytes = caches > 0 ? std::min(most_swept, 2 * caches) : most_swept;
    }
  }
}

Plan make_plan(const machines::Machine& machine, const machines::Host& host, const Options& options) {
  check_options(machine, options);
  std::vector<Run> runs = make_cells(machine, host, options);
  if (runs.empty()) throw std::invalid_argument(nothing_left(options));
  note_memory_set(machine, options, runs);
  describe_shares(machine, options, runs);
  if (!options.exhaustive) {
    join_private(machine, runs);
    mark_like(machine, options, runs);
    for (Run& run : runs) {
      // An emulated machine has no meaningful times: nothing is slower or differs.
      if (host.emulated) run.twin.clear();
      if (!host.emulated) run.race = race_of(run.cases.front());
    }
  }
  return in_order(std::move(runs));
}

}  // namespace gable::bench
