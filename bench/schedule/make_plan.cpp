#include "bench/schedule/make_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/sorting.hpp"
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

namespace gable::bench {

using model::Case;

namespace {

void note_memory_set(const machines::Machine& machine, const Options& options, std::vector<Run>& runs) {
  const std::uint64_t bytes = options.memory_set_bytes;
  for (Run& run : runs) {
    const Case& first = run.cases.front();
    if (bytes == 0 || (!is_memory(first.level) && first.level != machines::memory_side_cache_level(machine)))
      continue;
    const std::uint64_t usual =
        usual_memory_set(machine.clusters.at(static_cast<std::size_t>(first.cluster)));
    if (bytes == usual) continue;
    const auto code = bytes < usual ? model::NoteCode::small_set_asked : model::NoteCode::large_set_asked;
    run.notes.push_back({code, {double(bytes), double(usual)}});
  }
}

// What --only is mostly given.
std::vector<std::string> usual_values() {
  std::vector<std::string> words = model::all_names<model::Kind>();
  words.insert(words.end(), {model::Level::memory().name(), name_of(model::Pattern::ladder)});
  for (const kernels::Kernel& kernel : kernels::all()) words.insert(words.end(), {kernel.op, kernel.name});
  for (const MemoryPattern& each : memory_patterns()) words.push_back(name_of(each.pattern));
  return words;
}

std::string nothing_left(const Options& options) {
  std::string text = "nothing to measure: no cell of this plan matches";
  for (const std::string& filter : options.only) text += fmt::format(" --only {}", filter);
  const std::vector<std::string> known = usual_values();
  for (const std::string& value : filter_values(options.only)) {
    if (!is_among(known, value)) text += did_you_mean(value, known);
  }
  return text + " (a comma means and, a repeated --only means or; --list names the cells)";
}

}  // namespace

Plan in_order(std::vector<Run> runs) {
  set_room(runs);
  sort_by(runs, [](const Run& run) { return std::tuple(run.priority, placement(run)); });
  Plan plan;
  plan.runs = std::move(runs);
  for (const Run& run : plan.runs) plan.rounds = std::max(plan.rounds, run.skip.empty() ? run.rounds : 1);
  set_costs(plan);
  return plan;
}

Plan make_plan(const machines::Machine& machine, const machines::Host& host, const Options& options) {
  check_options(machine, options);
  std::vector<Run> runs = make_cells(machine, host, options);
  if (runs.empty()) throw Error::usage(nothing_left(options));
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
