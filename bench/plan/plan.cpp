#include "bench/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "base/nearest.hpp"
#include "base/numbers.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/plan/cells.hpp"
#include "bench/plan/filter.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

using model::Case;

std::string placement(const Run& run) {
  std::string text = run.cases.front().pages;
  if (run.first_pass) text += " large";  // other runs need no buffers of this size
  for (const Share& share : run.shares) {
    text += fmt::format(" {}:", share.cluster);
    for (const unsigned node : share.nodes) text += fmt::format("{},", node);
    // The layout of pages depends on the streams, which differ between kernels.
    if (share.node_percent >= 0)
      text += fmt::format(" {} % {}", share.node_percent, run.cases.front().kernel);
    if (share.node_weight > 0) text += fmt::format(" {}:{}", share.node_weight, share.other_weight);
  }
  return text;
}

bool all_stream(const Case& asked) {
  return asked.kind == "bandwidth" || asked.kind == "validation";
}

namespace {

// Used only for the estimate.
constexpr double touching_bytes_per_second = 1.5e9;
constexpr double node_touching_bytes_per_second = 20e9;
constexpr double linking_bytes_per_second = 4e9;
constexpr double passing_bytes_per_second = 10e9;
constexpr double visit_overhead_seconds = 0.004;

// Buffers are created once per placement, so they must be large enough for all of its runs.
void set_capacities(std::vector<Run>& runs) {
  std::map<std::string, std::uint64_t> capacity, first_capacity;
  for (const Run& run : runs) {
    for (const Case& asked : run.cases) {
      const bool one_thread = !all_stream(asked) || asked.threads == 1;
      std::uint64_t& most = (one_thread ? first_capacity : capacity)[placement(run)];
      most = std::max(most, asked.bytes);
    }
    std::uint64_t& load = capacity[placement(run)];
    load = std::max(load, run.loader_bytes);
  }
  for (Run& run : runs) {
    run.capacity_bytes = capacity[placement(run)];
    run.first_capacity_bytes = first_capacity[placement(run)];
  }
}

// Expected duration of a visit, including touching new buffers if the placement changes.
double expected_seconds(const Run& run, bool new_placement) {
  double seconds = run.visit_seconds + visit_overhead_seconds;
  const Case& first = run.cases.front();
  if (first.op == "chase") seconds += static_cast<double>(first.bytes) / linking_bytes_per_second;
  if (run.first_pass) {  // the clusters at the same time
    seconds += static_cast<double>(first.bytes) * first.threads / passing_bytes_per_second;
  }
  if (new_placement && !first.pages.empty()) {  // threads touch their buffers in parallel
    const auto each = static_cast<double>(std::max(run.capacity_bytes, run.first_capacity_bytes));
    double all = 0;
    for (const Case& asked : run.cases) all += static_cast<double>(run.capacity_bytes) * asked.threads;
    seconds += std::max(each / touching_bytes_per_second, all / node_touching_bytes_per_second);
  }
  return seconds;
}

void note_memory_set(std::uint64_t bytes, std::vector<Run>& runs) {
  for (Run& run : runs) {
    if (bytes == 0 || run.cases.front().level != "memory") continue;
    run.notes.push_back(
        fmt::format("--memory-set: {} per cluster instead of the default working set", bytes_text(bytes)));
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
  if (!options.isa.empty() && std::ranges::find(isas, options.isa) == isas.end()) {
    std::string known;
    for (const std::string& isa : isas) known += (known.empty() ? "" : ", ") + isa;
    throw std::invalid_argument(fmt::format("--isa {}: this CPU runs {}", options.isa, known));
  }
}

Plan in_order(std::vector<Run> runs) {
  set_capacities(runs);
  std::ranges::stable_sort(runs, {}, [](const Run& run) { return std::tuple(run.priority, placement(run)); });
  Plan plan;
  plan.rounds = 1;
  std::string last;
  for (Run& run : runs) {
    if (!run.skip.empty()) continue;
    const std::string here = placement(run);
    run.seconds = expected_seconds(run, here != last);
    if (!run.cases.front().pages.empty()) last = here;
    plan.seconds += run.seconds * run.rounds;
    plan.rounds = std::max(plan.rounds, run.rounds);
  }
  plan.runs = std::move(runs);
  return plan;
}

Run alone(Run run) {
  std::vector<Run> runs = {std::move(run)};
  set_capacities(runs);
  return std::move(runs.front());
}

Plan make_plan(const machines::Machine& machine, const machines::Host& host, const Options& options) {
  check_options(machine, options);
  std::vector<Run> runs = make_cells(machine, host, options);
  if (runs.empty()) throw std::invalid_argument(nothing_left(options));
  note_memory_set(options.memory_set_bytes, runs);
  return in_order(std::move(runs));
}

}  // namespace gable::bench
