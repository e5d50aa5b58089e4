#include "cli/predict/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/point/machine.hpp"
#include "cli/point/point.hpp"
#include "cli/profile/caches.hpp"
#include "model/points/limits/mix_limits.hpp"
#include "model/points/limits/mix_roof.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

constexpr std::uint64_t bytes_of_share = 1 << 20;  // bytes of shares, of which only the proportions count

double measured_clock(const model::Roofs& roofs) {
  std::vector<double> clocks;
  for (const model::Roof& roof : roofs.roofs) {
    if (roof.clock_ghz > 0) clocks.push_back(roof.clock_ghz);
  }
  return clocks.empty() ? 0 : model::median(clocks);
}

// By the names of its instruction sets.
std::string architecture_of(const RecordedMachine& machine) {
  const auto has = [&](const char* begin) {
    return std::ranges::any_of(machine.isas, [&](const std::string& isa) { return isa.starts_with(begin); });
  };
  return has("sse") ? "x86-64" : has("neon") || has("sve") ? "AArch64" : "";
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

model::Tiers tier_of_node(const RecordedMachine& machine, int node) {
  for (const machines::Node& each : machine.nodes) {
    if (static_cast<int>(each.os_index) == node) return each.tier;
  }
  return {};
}

// The nodes of these clusters: of a tier, or where the system puts data first.
std::set<int> own_nodes_of(const RecordedMachine& machine, int cluster, std::optional<model::Tier> tier) {
  std::set<int> nodes;
  for (const machines::Cluster& each : machine.clusters) {
    if (cluster >= 0 && each.index != cluster) continue;
    std::vector<int> own;
    for (const unsigned node : each.nodes) {
      const model::Tiers of_node = tier_of_node(machine, static_cast<int>(node));
      if (!tier || of_node.contains(*tier)) own.push_back(static_cast<int>(node));
    }
    if (tier) {
      nodes.insert(own.begin(), own.end());
      continue;
    }
    const auto plain = std::ranges::find_if(
        own, [&](int node) { return tier_of_node(machine, node).contains(model::plain_tier); });
    if (plain != own.end()) {
      nodes.insert(*plain);
    } else if (!own.empty()) {
      nodes.insert(own.front());
    }
  }
  return nodes;
}

std::map<int, std::uint64_t> evenly(const std::set<int>& nodes) {
  std::map<int, std::uint64_t> bytes;
  for (const int node : nodes) bytes[node] = bytes_of_share;
  return bytes;
}

std::set<int> all_nodes(const RecordedMachine& machine) {
  std::set<int> nodes;
  for (const machines::Node& node : machine.nodes) nodes.insert(node.os_index);
  return nodes;
}

[[noreturn]] void refuse_memory(const std::string& option, const std::string& text) {
  throw Error::usage(fmt::format(
      "{} {}: give node:N, a kind of memory such as HBM, interleave, 3:1 (pages in the first and the "
      "second memory), or parts as in 0=60,1=40",
      option, text));
}

// One machine that is too small does not spoil a table of others.
void require_hardware_threads(const PredictMachine& machine, int threads) {
  try {
    require_threads(known_machine(machine.folder), -1, threads, machine.folder);
  } catch (const Error& error) {
    throw Error::unavailable(error.what());
  }
}

// "3:1": the memories of the cluster, or of the machine if the cluster has only one.
std::map<int, std::uint64_t> weighted(const PredictMachine& machine, int cluster, const ProgramUse& use) {
  const std::string& text = use.memory;
  const std::vector<std::string> parts = split(text, ':');
  std::set<int> nodes;
  for (const machines::Cluster& each : machine.recorded.clusters) {
    if (cluster < 0 || each.index == cluster) nodes.insert(each.nodes.begin(), each.nodes.end());
  }
  if (nodes.size() < 2) nodes = all_nodes(machine.recorded);
  if (nodes.size() != parts.size())
    throw Error::usage(fmt::format("{} {}: {} has {} here: give parts as in 0=60,1=40", use.option, text,
                                   machine.name, count_text(std::ssize(nodes), "memory node")));
  std::map<int, std::uint64_t> bytes;
  std::size_t at = 0;
  for (const int node : nodes) {
    const int weight = read_as<int>(parts[at++]).value_or(-1);
    if (weight < 0) refuse_memory(use.option, text);
    if (weight > 0) bytes[node] = bytes_of_share * static_cast<std::uint64_t>(weight);
  }
  return bytes;
}

// Sets where the data lies.
void place_data(const PredictMachine& machine, const ProgramUse& use, model::Point& like) {
  const std::string& text = use.memory;
  const RecordedMachine& recorded = machine.recorded;
  like.access.clear();
  like.access_source = model::AccessSource::none;
  like.policy = "first-touch";
  if (text.empty()) {
    like.node_bytes = evenly(own_nodes_of(recorded, like.cluster, std::nullopt));
    if (like.node_bytes.empty() && !recorded.nodes.empty())
      like.node_bytes = {{recorded.nodes.front().os_index, bytes_of_share}};
    return;
  }
  if (const auto tier = model::named<model::Tier>(text)) {
    like.node_bytes = evenly(own_nodes_of(recorded, like.cluster, tier));
    if (!like.node_bytes.empty()) return;
    for (const machines::Node& node : recorded.nodes) {
      if (node.tier.contains(*tier)) like.node_bytes[node.os_index] = bytes_of_share;
    }
    if (like.node_bytes.empty())
      throw Error::usage(fmt::format("{} {}: {} has no such memory", use.option, text, machine.name));
    like.policy = "interleave";
  } else if (text == "interleave") {
    like.node_bytes = evenly(all_nodes(recorded));
    like.policy = "interleave";
  } else if (text.starts_with("node:")) {
    const int node = read_as<int>(std::string_view(text).substr(5)).value_or(-1);
    if (node < 0) refuse_memory(use.option, text);
    like.node_bytes = {{node, bytes_of_share}};
  } else if (text.find('=') != std::string::npos) {
    like.node_bytes = nodes_from(text, use.option);
    like.policy = "interleave";
  } else if (text.find(':') != std::string::npos) {
    like.node_bytes = weighted(machine, like.cluster, use);
    like.policy = "interleave";
  } else {
    refuse_memory(use.option, text);
  }
  const KnownMachine known = known_machine(machine.folder);
  for (const auto& [node, bytes] : like.node_bytes)
    require_node(known, node, use.option + " " + text, machine.folder);
}

std::optional<double> huge_percent(const PredictMachine& machine, const std::string& pages,
                                   std::optional<double> here) {
  if (!pages.empty()) {
    const auto size = model::pages_named(pages);
    if (!size) throw Error::usage(fmt::format("--pages {}: give a size such as 4k or 2m", pages));
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

std::string pages_words(const model::Point& like) {
  if (!like.huge_pages_percent) return "pages of either size";
  if (*like.huge_pages_percent >= 99) return "huge pages";
  if (*like.huge_pages_percent <= 1) return "small pages";
  return fmt::format("{} on huge pages", percent_text(*like.huge_pages_percent));
}

}  // namespace

PredictMachine predict_machine(const std::string& folder) {
  PredictMachine machine;
  machine.folder = folder;
  machine.name = std::filesystem::path(folder).filename().string();
  if (machine.name.empty() || machine.name == ".") machine.name = folder;
  const auto recorded = recorded_machine(folder);
  if (!recorded) throw Error::usage(folder, "no machine.json there");
  machine.recorded = *recorded;
  machine.background = background_of(folder);
  machine.clock_ghz = measured_clock(machine.background.roofs);
  if (machine.clock_ghz == 0) machine.clock_ghz = recorded->clock_ghz;
  machine.architecture = architecture_of(*recorded);
  if (machine.background.roofs.machine_cores.empty()) add_topology(*recorded, machine.background.roofs);
  return machine;
}

model::Setting setting_on(const PredictMachine& machine, const model::Point& like, const ProgramUse& use,
                          bool is_here) {
  model::Setting setting;
  setting.machine = machine.folder;
  setting.roofs = &machine.background.roofs;
  setting.hybrid = machine.background.hybrid;
  setting.clock_ghz = machine.clock_ghz;
  setting.like = like;
  model::Point& point = setting.like;
  point.functions.clear();
  point.objects.clear();
  if (use.threads > 0) point.threads = use.threads;
  const bool moves = !is_here || use.threads > 0;
  if (moves) {
    point.cores = 0;
    if (use.threads > 0) require_hardware_threads(machine, point.threads);
    point.cluster = cluster_for(machine.recorded, point.threads);
    point.alone = point.cluster >= 0;
  }
  const int cores = cores_for(machine.recorded, point.cluster);
  if (cores > 0 && point.threads > cores) point.cores = cores;
  if (moves || !use.memory.empty()) place_data(machine, use, point);
  point.huge_pages_percent = huge_percent(machine, use.pages, like.huge_pages_percent);
  if (!has_caches(machine.recorded, point.cluster))
    throw Error::unavailable(
        fmt::format("{}: \"caches\" of its clusters are missing or have no \"bytes\", so its transfers "
                    "cannot be computed",
                    (std::filesystem::path(machine.folder) / "machine.json").string()));
  const ProfileMachine hierarchy =
      profile_machine(machine.folder, std::max(point.cluster, 0), std::max(1, point.threads));
  setting.caches = hierarchy.caches;
  setting.claimed = hierarchy.claimed;
  setting.tlb = hierarchy.tlb;
  return setting;
}

bool is_memory_text(const std::string& text) {
  if (std::filesystem::exists(text)) return false;
  return text == "interleave" || text == "fast" || text == "slow" || text.starts_with("node:") ||
         text.find('=') != std::string::npos || model::named<model::Tier>(text).has_value() ||
         (text.find(':') != std::string::npos && text.find_first_not_of("0123456789:") == std::string::npos);
}

std::string words_of(const model::Setting& setting) {
  const model::Point& like = setting.like;
  const std::map<int, double> shares = model::node_shares(like);
  std::string text = count_text(like.threads, "thread");
  if (like.cores > 0 && like.cores < like.threads)
    text += fmt::format(" on {}", count_text(like.cores, "core"));
  text += like.cluster < 0 ? " of all clusters" : fmt::format(" of cluster {}", like.cluster);
  if (shares.size() == 1) text += fmt::format(", data on node {}", shares.begin()->first);
  if (shares.size() > 1) text += ", data " + model::shares_text(shares);
  return text + ", " + pages_words(like);
}

}  // namespace gable::cli
