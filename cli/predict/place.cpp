#include "cli/predict/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/point/point.hpp"
#include "model/points/access.hpp"
#include "model/points/limits/mix_limits.hpp"

namespace gable::cli {

namespace {

constexpr std::uint64_t bytes_of_share = 1 << 20;  // bytes of shares, of which only the proportions count

// The nodes of these clusters: of a tier, or where the system puts data first.
std::set<int> own_nodes_of(const RecordedMachine& machine, int cluster, std::optional<model::Tier> tier) {
  std::set<int> nodes;
  for (const machines::Cluster& each : machine.clusters) {
    if (cluster >= 0 && each.index != cluster) continue;
    std::vector<int> own;
    for (const unsigned node : each.nodes) {
      const model::Tiers of_node = machine.tier_of(static_cast<int>(node));
      if (!tier || of_node.contains(*tier)) own.push_back(static_cast<int>(node));
    }
    if (tier) {
      nodes.insert(own.begin(), own.end());
      continue;
    }
    const auto plain = std::ranges::find_if(
        own, [&](int node) { return machine.tier_of(node).contains(model::plain_tier); });
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
      "second memory), parts as in 0=60,1=40, or OBJECT=node:N",
      option, text));
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
    throw Error::unavailable(fmt::format("{} {}: {} has {} here: give parts as in 0=60,1=40", use.option,
                                         text, machine.name, count_text(std::ssize(nodes), "memory node")));
  std::map<int, std::uint64_t> bytes;
  std::size_t at = 0;
  for (const int node : nodes) {
    const int weight = read_as<int>(parts[at++]).value_or(-1);
    if (weight < 0) refuse_memory(use.option, text);
    if (weight > 0) bytes[node] = bytes_of_share * static_cast<std::uint64_t>(weight);
  }
  return bytes;
}

constexpr const char* at_node = "=node:";

[[noreturn]] void refuse_object(const std::string& name, const std::string& why,
                                const std::vector<std::string>& names) {
  throw Error::usage(fmt::format("--memory {}=node:N: {}: {}", name, why, joined(names, std::identity())));
}

// The names of the profile's objects with at least a hundredth of the accessed bytes of the first one.
std::vector<std::string> names_of(const model::Profile& profile) {
  constexpr std::size_t most = 20;
  std::map<std::string, double> bytes;
  for (const model::ProfileAccesses& of : profile.accesses) {
    if (of.object < 0) continue;
    const model::ProfileObject& object = profile.objects[static_cast<std::size_t>(of.object)];
    bytes[model::object_name(object)] += of.load_bytes + of.store_bytes;
  }
  std::vector<std::pair<std::string, double>> objects(bytes.begin(), bytes.end());
  sort_down_by(objects, &std::pair<std::string, double>::second);
  std::vector<std::string> names;
  for (const auto& [name, accessed] : objects) {
    if (names.size() == most || accessed < objects.front().second / 100) break;
    names.push_back(name);
  }
  if (const std::size_t others = objects.size() - names.size(); others > 0)
    names.push_back(count_text(static_cast<std::int64_t>(others), "smaller one"));
  return names;
}

model::PlacedObject placed_object(const model::Profile& profile, const std::string& text, int node) {
  std::set<std::string> whole, shortened;
  for (const model::ProfileObject& object : profile.objects) {
    const std::string name = model::object_name(object);
    if (name == text) whole.insert(name);
    if (model::object_word(object) == text) shortened.insert(name);
  }
  const std::set<std::string>& found = whole.empty() ? shortened : whole;
  if (found.empty()) refuse_object(text, "the profile has no such object; it has", names_of(profile));
  if (found.size() > 1)
    refuse_object(text, "several objects have this name; give one of", {found.begin(), found.end()});
  model::PlacedObject placed{*found.begin(), {}, node};
  for (int i = 0; i < std::ssize(profile.objects); ++i) {
    if (model::object_name(profile.objects[static_cast<std::size_t>(i)]) == placed.name)
      placed.indices.push_back(i);
  }
  return placed;
}

}  // namespace

void place_data(const PredictMachine& machine, const ProgramUse& use, model::Point& like) {
  const RecordedMachine& recorded = machine.recorded;
  const std::string& text = use.memory;
  model::forget_access(like);
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
      throw Error::unavailable(fmt::format("{} {}: {} has no such memory", use.option, text, machine.name));
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
  for (const auto& [node, bytes] : like.node_bytes)
    require_memory_node(machine, node, use.option + " " + text);
}

void require_memory_node(const PredictMachine& machine, int node, const std::string& option) {
  try {
    require_node(known_machine(machine.recorded), node, option, machine.name);
  } catch (const Error& error) {
    throw Error::unavailable(error.what());
  }
}

bool is_memory_text(const std::string& text) {
  if (std::filesystem::exists(text)) return false;
  return text == "interleave" || text == "fast" || text == "slow" || text.starts_with("node:") ||
         text.find('=') != std::string::npos || model::named<model::Tier>(text).has_value() ||
         (text.find(':') != std::string::npos && text.find_first_not_of("0123456789:") == std::string::npos);
}

void take_memory(const std::vector<std::string>& texts, ProgramUse& use) {
  for (const std::string& text : texts) {
    const std::size_t end = text.rfind(at_node);
    if (end == std::string::npos || end == 0) {
      if (!use.memory.empty())
        throw Error::usage(
            fmt::format("--memory {} and {}: give one place of the data, and OBJECT=node:N for "
                        "objects that lie elsewhere",
                        use.memory, text));
      use.memory = text;
      continue;
    }
    const auto node = read_as<int>(std::string_view(text).substr(end + std::string_view(at_node).size()));
    if (!node || *node < 0) throw Error::usage(fmt::format("--memory {}: give OBJECT=node:N", text));
    if (!use.objects.emplace(text.substr(0, end), *node).second)
      throw Error::usage(fmt::format("--memory {}: this object has two places", text));
  }
}

std::vector<model::PlacedObject> placed_objects(const model::Profile& profile,
                                                const std::map<std::string, int>& nodes) {
  std::vector<model::PlacedObject> placed;
  for (const auto& [name, node] : nodes) {
    placed.push_back(placed_object(profile, name, node));
    for (std::size_t i = 0; i + 1 < placed.size(); ++i) {
      if (placed[i].name == placed.back().name)
        refuse_object(name, "this object has two places", {placed.back().name});
    }
  }
  return placed;
}

}  // namespace gable::cli
