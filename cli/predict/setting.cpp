#include "cli/predict/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/point/point.hpp"
#include "model/points/access.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/limits/mix_roof.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

// By the names of its instruction sets, or else (published machines) by that of its CPU.
std::string architecture_of(const RecordedMachine& machine) {
  const auto has = [&](const char* begin) {
    return std::ranges::any_of(machine.isas, [&](const std::string& isa) { return isa.starts_with(begin); });
  };
  if (has("sse")) return "x86-64";
  if (has("neon") || has("sve")) return "AArch64";
  const auto is_named = [&](const char* word) { return machine.cpu_model.find(word) != std::string::npos; };
  constexpr std::array x86 = {"Intel", "AMD"};
  constexpr std::array arm = {"A64FX", "Neoverse", "Cortex"};
  return std::ranges::any_of(x86, is_named) ? "x86-64" : std::ranges::any_of(arm, is_named) ? "AArch64" : "";
}

int cores_in(const machines::Cluster& cluster) {
  return static_cast<int>(cluster.cores.size());
}

// The first cluster if its cores suffice, all of them otherwise.
int cluster_for(const RecordedMachine& machine, int threads) {
  if (machine.clusters.size() <= 1) return machine.clusters.empty() ? 0 : machine.clusters.front().index;
  return threads <= cores_in(machine.clusters.front()) ? machine.clusters.front().index : -1;
}

int cores_for(const RecordedMachine& machine, int cluster) {
  int sum = 0;
  for (const machines::Cluster& each : machine.clusters) {
    if (cluster < 0 || each.index == cluster) sum += cores_in(each);
  }
  return sum;
}

// One machine that is too small does not spoil a table of others.
void require_hardware_threads(const PredictMachine& machine, int threads) {
  try {
    require_threads(known_machine(machine.recorded), -1, threads, machine.name);
  } catch (const Error& error) {
    throw Error::unavailable(error.what());
  }
}

std::optional<double> huge_percent(const PredictMachine& machine, const ProgramUse& use,
                                   std::optional<double> here) {
  if (use.huge_pages_percent) return use.huge_pages_percent;
  if (!use.pages.empty()) {
    const auto size = model::pages_named(use.pages);
    if (!size || size->bytes() < model::small_pages().bytes() || !std::has_single_bit(size->bytes()))
      throw Error::usage(fmt::format("--pages {}: give a size such as 4k or 2m", use.pages));
    return model::is_huge(*size) ? 100 : 0;
  }
  if (here) return here;
  if (machine.recorded.huge_pages.empty()) return std::nullopt;
  return machine.recorded.huge_pages == "always" ? 100 : 0;
}

bool has_caches(const RecordedMachine& machine, int cluster) {
  const machines::Cluster* const own = machine.cluster(std::max(cluster, 0));
  return own != nullptr &&
         std::ranges::any_of(own->caches, [](const auto& cache) { return cache.bytes > 0; });
}

// The memory-side cache in front of the program's data. Nothing if some of it lies on a node without one, or
// it is not known where it lies. The caches of several nodes count as one: a line of a node with the part p
// of the data meets p of the other lines in the node's cache of C bytes, as if this cache had C / p bytes.
// These caches are direct-mapped, and the pages of a program lie anywhere in the memory.
std::optional<model::ProfileCache> side_cache(const RecordedMachine& machine, const model::Point& like) {
  const std::map<int, double> shares = model::node_shares(like);
  double part_of_distance = 0;  // mean over the lines, of the other lines in a cache by its size
  for (const auto& [node, share] : shares) {
    const auto found =
        std::ranges::find(machine.nodes, static_cast<unsigned>(node), &machines::Node::os_index);
    if (found == machine.nodes.end() || found->memory_side_cache_bytes == 0) return std::nullopt;
    part_of_distance += share * share / static_cast<double>(found->memory_side_cache_bytes);
  }
  if (part_of_distance <= 0) return std::nullopt;
  model::ProfileCache cache;
  cache.level = machines::memory_side_cache_level(machine).name();
  cache.bytes = 1 / part_of_distance;
  cache.is_shared = true;
  cache.cores_sharing = machines::core_count(machine);
  cache.by_chance = true;
  cache.ways = 1;
  return cache;
}

// The same cache if no pages of the program happen to share a set.
model::ProfileCache without_conflicts(model::ProfileCache cache) {
  cache.by_chance = false;
  cache.ways = 0;
  return cache;
}

ProfileMachine hierarchy_of(const PredictMachine& machine, const model::Point& like) {
  const int cluster = std::max(like.cluster, 0), threads = std::max(1, like.threads);
  const auto key = std::tuple(cluster, threads, like.huge_pages_percent);
  const auto known = machine.hierarchies->find(key);
  if (known != machine.hierarchies->end()) return known->second;
  return machine.hierarchies
      ->emplace(key, profile_machine(machine.folder, cluster, threads, like.huge_pages_percent))
      .first->second;
}

// What is equal in CPUs of one kind: guests often do not see the whole name.
std::string cpu_of(const RecordedMachine& machine) {
  if (machine.cpu_model.empty()) return "";
  std::string words = machine.cpu_model;
  for (const machines::Cluster& cluster : machine.clusters) {
    words += fmt::format(", {}", cluster.core);
    for (const machines::Cache& cache : cluster.caches)
      words += fmt::format(" L{} {}", cache.level, cache.bytes);
  }
  return words;
}

std::string pages_words(const model::Point& like) {
  if (!like.huge_pages_percent) return "pages of either size";
  if (*like.huge_pages_percent >= 99) return "huge pages";
  if (*like.huge_pages_percent <= 1) return "small pages";
  return fmt::format("{} on huge pages", percent_text(*like.huge_pages_percent));
}

}  // namespace

PredictMachine predict_machine(const std::string& folder) {
  if (!recorded_machine(folder)) throw Error::usage(folder, "no machine.json there");
  return predict_machine(folder, background_of(folder));
}

PredictMachine predict_machine(const std::string& folder, Background background) {
  PredictMachine machine;
  machine.folder = folder;
  machine.name = name_of_folder(folder);
  const auto recorded = recorded_machine(folder);
  if (recorded) machine.recorded = *recorded;
  machine.background = std::move(background);
  machine.clock_ghz = model::median_clock(machine.background.roofs.roofs);
  if (machine.clock_ghz == 0) machine.clock_ghz = machine.recorded.clock_ghz;
  machine.architecture = architecture_of(machine.recorded);
  if (recorded && machine.background.roofs.machine_cores.empty())
    add_topology(*recorded, machine.background.roofs);
  return machine;
}

model::Setting setting_on(const PredictMachine& machine, const model::Point& like, const ProgramUse& use,
                          bool is_here) {
  model::Setting setting;
  setting.machine = machine.folder;
  setting.roofs = &machine.background.roofs;
  setting.hybrid = machine.background.hybrid;
  setting.clock_ghz = machine.clock_ghz;
  setting.cpu = cpu_of(machine.recorded);
  setting.like = like;
  model::Point& point = setting.like;
  point.functions.clear();
  point.objects.clear();
  if (use.threads > 0) point.threads = use.threads;
  const bool moves = !is_here || use.threads > 0 || (use.cluster >= 0 && use.cluster != point.cluster);
  if (moves) {
    point.cores = 0;
    if (use.threads > 0) require_hardware_threads(machine, point.threads);
    point.cluster = use.cluster >= 0 ? use.cluster : cluster_for(machine.recorded, point.threads);
    point.alone = point.cluster >= 0;
  }
  const int cores = cores_for(machine.recorded, point.cluster);
  if (cores > 0 && point.threads > cores) point.cores = cores;
  if (moves || !use.memory.empty()) place_data(machine, use, point);
  for (const auto& [name, node] : use.objects)
    require_memory_node(machine, node, fmt::format("--memory {}=node:{}", name, node));
  if (!use.objects.empty() && model::node_shares(point).empty())
    throw Error::usage(fmt::format(
        "{}: where the other data of {} lies is not known: give its place too, as in --memory node:0",
        machine.folder, like.name));
  point.huge_pages_percent = huge_percent(machine, use, like.huge_pages_percent);
  if (!has_caches(machine.recorded, point.cluster)) {
    if (!use.needs_caches) return setting;
    throw Error::unavailable(
        "the sizes of its caches are not known, so the program's transfers cannot be computed");
  }
  ProfileMachine hierarchy = hierarchy_of(machine, point);
  if (const auto side = side_cache(machine.recorded, point); side && use.objects.empty()) {
    hierarchy.caches.push_back(*side);
    hierarchy.claimed.push_back(without_conflicts(*side));
  }
  setting.caches = std::move(hierarchy.caches);
  setting.claimed = std::move(hierarchy.claimed);
  setting.tlb = hierarchy.tlb;
  return setting;
}

std::vector<std::string> words_of(const model::Setting& setting) {
  const model::Point& like = setting.like;
  const std::map<int, double> shares = model::node_shares(like);
  std::vector<std::string> words = {like.threads > 0 ? count_text(like.threads, "thread") : "threads"};
  if (like.cores > 0 && like.cores < like.threads)
    words.front() += fmt::format(" on {}", count_text(like.cores, "core"));
  words.front() += like.cluster < 0 ? " of all clusters" : fmt::format(" of cluster {}", like.cluster);
  if (shares.size() == 1) words.push_back(fmt::format("data on node {}", shares.begin()->first));
  if (shares.size() > 1) words.push_back("data " + model::shares_text(shares));
  for (const model::PlacedObject& object : setting.objects)
    words.push_back(fmt::format("{} on node {}", object.name, object.node));
  words.push_back(pages_words(like));
  return words;
}

}  // namespace gable::cli
