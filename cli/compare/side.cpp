#include "cli/compare/side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/visit/rounds.hpp"
#include "cli/folder.hpp"
#include "model/json/lines.hpp"
#include "model/records/records.hpp"
#include "model/records/tier.hpp"
#include "model/records/virt.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

// Different rounds of each Case, and what the visits tell about the run.
void read_visits(Side& side) {
  std::vector<model::Sample> samples =
      model::read_lines<model::Sample>(file_in(side.shown.folder, "samples.jsonl"));
  for (const model::Sample& sample : samples) {
    if (side.started.empty() || sample.started < side.started) side.started = sample.started;
  }
  std::erase_if(samples, [](const model::Sample& sample) { return sample.status != model::Status::ok; });
  for (const auto& [key, round] : bench::visited_of(samples)) ++side.rounds[key];
  for (const model::Sample& sample : samples) {
    if (is_grid(sample.spec.pattern))
      side.hybrid_rounds = std::max(side.hybrid_rounds, side.rounds[model::key(sample.spec)]);
  }
  side.clock_ghz = model::median_clock(samples);
  const auto of_tiers = model::read_lines<model::TierSample>(file_in(side.shown.folder, "tiers.jsonl"));
  for (const auto& [key, round] : bench::visited_of(of_tiers)) ++side.tier_rounds[key];
}

void add_run_facts(Side& side) {
  if (side.rounds.empty()) return;
  int most = 0;
  for (const auto& [key, rounds] : side.rounds) most = std::max(most, rounds);
  side.facts.push_back({"run", "rounds", std::to_string(most)});
}

// A clock is never measured as the same number twice.
void add_clock(std::vector<Change>& changes, const std::vector<Side>& sides) {
  constexpr double noticeable = 0.005;
  Change clock{"run", "clock", {}};
  double least = HUGE_VAL, most = 0;
  for (const Side& side : sides) {
    clock.values.push_back(side.clock_ghz > 0 ? fmt::format("{:.3f} GHz", side.clock_ghz) : "?");
    if (side.clock_ghz <= 0) continue;
    least = std::min(least, side.clock_ghz);
    most = std::max(most, side.clock_ghz);
  }
  if (most > least * (1 + noticeable)) changes.push_back(clock);
}

std::string value_of(const Side& side, const Fact& fact) {
  for (const Fact& own : side.facts) {
    if (own.group == fact.group && own.name == fact.name) return own.value;
  }
  const bool lists_nodes = side.shown.machine && !side.shown.machine->nodes.empty();
  return lists_nodes && fact.of_node ? "none" : "?";
}

}  // namespace

std::string clusters_text(const RecordedMachine& machine) {
  std::string text;
  for (std::size_t i = 0; i < machine.clusters.size();) {
    const auto sizes = [&](std::size_t cluster) {
      const machines::Cluster& of = machine.clusters[cluster];
      return std::tuple(of.cores.size(), hardware_threads(of).size(), of.kind);
    };
    const auto [cores, pus, kind] = sizes(i);
    std::size_t end = i;
    while (end < machine.clusters.size() && sizes(end) == sizes(i)) ++end;
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ",
                        count_text(static_cast<std::int64_t>(end - i), "cluster"),
                        count_text(static_cast<std::int64_t>(cores), kind.empty() ? "core" : kind + " core"));
    if (pus > cores) text += fmt::format(" ({} threads)", pus);
    i = end;
  }
  return text;
}

std::string caches_text(const RecordedMachine& machine) {
  if (machine.caches.empty()) return "?";
  return joined(machine.caches, [](const machines::Cache& cache) {
    return fmt::format("L{} {} × {}", cache.level, cache.count, bytes_text(cache.bytes));
  });
}

std::vector<Fact> facts_of(const RecordedMachine& machine) {
  std::vector<Fact> facts = {{"hardware", "clusters", clusters_text(machine)},
                             {"hardware", "caches", caches_text(machine)}};
  for (const machines::Node& node : machine.nodes) {  // one for each, so that the one that changed is named
    std::string text = name_of(node.tier);
    if (node.bytes > 0) text += " " + bytes_text(node.bytes);
    if (node.memory_side_cache_bytes > 0)
      text += fmt::format(", behind a cache of {}", bytes_text(node.memory_side_cache_bytes));
    facts.push_back({"hardware", fmt::format("node {}", node.os_index), text, true});
  }
  const auto processor = machine.facts.begin(), others = processor + !machine.facts.empty();
  facts.insert(facts.begin(), processor, others);
  facts.insert(facts.end(), others, machine.facts.end());
  return facts;
}

bool Side::has_side_cache(std::optional<int> node) const {
  return shown.machine && std::ranges::any_of(shown.machine->nodes, [&](const machines::Node& one) {
           return one.memory_side_cache_bytes > 0 && (!node || static_cast<int>(one.os_index) == *node);
         });
}

Side read_side(const std::string& named) {
  Side side;
  side.shown = read_folder(machine_folder(named), false);
  read_visits(side);
  side.virt =
      model::virt_summary(model::read_lines<model::VirtSample>(file_in(side.shown.folder, "virt.jsonl")));
  if (side.shown.machine) side.facts = facts_of(*side.shown.machine);
  add_run_facts(side);
  return side;
}

void label_sides(std::vector<Side>& sides, const std::vector<std::string>& named,
                 const std::vector<std::string>& names) {
  std::set<std::string> last_names;
  for (const std::string& each : named) last_names.insert(name_of_folder(each));
  std::map<std::string, int> times;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::string& label = sides[i].label;
    label = !names.empty()                      ? names[i]
            : last_names.size() == named.size() ? name_of_folder(named[i])
                                                : named[i];
    if (const int time = ++times[label]; time > 1) label += fmt::format(" ({})", time);
  }
}

std::vector<Change> changes_of(const std::vector<Side>& sides) {
  std::vector<Fact> facts;  // of all sides, in the order of the first that has them
  for (const Side& side : sides) {
    for (const Fact& fact : side.facts) {
      const bool known = std::ranges::any_of(
          facts, [&](const Fact& other) { return other.group == fact.group && other.name == fact.name; });
      if (!known) facts.push_back(fact);
    }
  }
  std::vector<Change> changes;
  for (const Fact& fact : facts) {
    Change change{fact.group, fact.name, {}};
    for (const Side& side : sides) change.values.push_back(value_of(side, fact));
    const bool same = std::ranges::all_of(
        change.values, [&](const std::string& value) { return value == change.values.front(); });
    if (!same) changes.push_back(std::move(change));
  }
  add_clock(changes, sides);
  return changes;
}

}  // namespace gable::cli
