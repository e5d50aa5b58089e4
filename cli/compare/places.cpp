#include "cli/compare/side.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::cli {
namespace {

using model::NoteCode;

const machines::Cluster* cluster_in(const Side& side, int index) {
  return side.shown.machine ? side.shown.machine->cluster(index) : nullptr;
}

std::vector<int> nodes_of_tier(const RecordedMachine& machine, model::Tiers tier) {
  std::vector<int> nodes;
  for (const machines::Node& node : machine.nodes) {
    if (node.tier == tier) nodes.push_back(node.os_index);
  }
  std::ranges::sort(nodes);
  return nodes;
}

bool is_own(const machines::Cluster* cluster, int node) {
  return cluster != nullptr && node >= 0 && is_among(cluster->nodes, static_cast<unsigned>(node));
}

// "|P DRAM 0 HBM 0 |E DRAM 1 HBM 1 ": the kind of each cluster's cores, and its own nodes by tier and
// position.
std::string layout_of(const RecordedMachine& machine) {
  std::string text;
  for (const machines::Cluster& cluster : machine.clusters) {
    text += "|" + cluster.kind + " ";
    for (const unsigned node : cluster.nodes) {
      const model::Tiers tier = machine.tier_of(static_cast<int>(node));
      const std::vector<int> nodes = nodes_of_tier(machine, tier);
      const auto at = std::ranges::find(nodes, static_cast<int>(node)) - nodes.begin();
      text += fmt::format("{} {} ", name_of(tier), at);
    }
  }
  for (const machines::Node& node : machine.nodes) text += name_of(node.tier) + ",";
  return text;
}

Likeness likeness_of(const Side& a, const Side& b) {
  if (!a.shown.machine || !b.shown.machine) return Likeness::same;
  const RecordedMachine &first = *a.shown.machine, &other = *b.shown.machine;
  if (layout_of(first) != layout_of(other)) return Likeness::different;
  return first.cpu_model == other.cpu_model ? Likeness::same : Likeness::alike;
}

std::size_t cluster_count(const Side& side) {
  return side.shown.machine ? side.shown.machine->clusters.size() : 0;
}

bool has_tier(const Side& side, int cluster, model::Tier tier) {
  const RecordedMachine& machine = *side.shown.machine;
  const machines::Cluster* of = cluster_in(side, cluster);
  return std::ranges::any_of(machine.nodes, [&](const machines::Node& node) {
    return node.tier == tier && (of == nullptr || is_own(of, node.os_index));
  });
}

// That this side lacks the part of the machine that a figure is about; empty if it has it.
model::Note lacked_by(const Side& side, const model::Case& spec) {
  const machines::Cluster* of = cluster_in(side, spec.cluster);
  if (of == nullptr || in_registers(spec.kind) || is_ladder(spec.pattern)) return {};
  if (is_in_cache(spec.pattern)) {
    const bool known = !of->caches.empty() && is_cache(spec.level);
    const bool has = std::ranges::any_of(
        of->caches, [&](const machines::Cache& cache) { return spec.level.number() == cache.level; });
    if (!known || has) return {};
    return {NoteCode::no_such_part_there, {side.label, spec.level.name()}};
  }
  if (!is_memory(spec.level)) {
    if (side.has_side_cache()) return {};
    return {NoteCode::no_such_part_there, {side.label, "memory-side cache"}};
  }
  const bool own = is_local(spec.pattern);
  for (const model::Tier tier : spec.tier.all()) {
    if (has_tier(side, own ? spec.cluster : -1, tier)) continue;
    if (!own) return {NoteCode::no_such_part_there, {side.label, name_of(tier)}};
    return {NoteCode::no_tier_there, {side.label, name_of(tier), double(spec.cluster)}};
  }
  return {};
}

}  // namespace

Places::Places(const Side& side, const Side& partner)
    : side_(side), partner_(partner), likeness_(likeness_of(side, partner)) {}

std::string Places::sentence() const {
  if (!side_.shown.machine || !partner_.shown.machine)
    return "A folder has no machine.json: clusters and nodes are matched by their numbers.";
  switch (likeness_) {
    case Likeness::same:
      return "Clusters and nodes are the same in number and kind: figures are matched by cluster and node.";
    case Likeness::alike:
      return "Other CPUs, but the same number of clusters with the same kinds of memory: clusters and their "
             "own nodes are matched by position.";
    case Likeness::different:
      break;
  }
  return "The machines have different clusters or memory nodes: clusters are matched by number, their own "
         "caches by level and their own memories by kind.";
}

std::string Places::node(int cluster, int node) const {
  if (node < 0) return "-";
  if (!side_.shown.machine) return fmt::format("node {}", node);
  const RecordedMachine& machine = *side_.shown.machine;
  const model::Tiers tier = machine.tier_of(node);
  if (tier.empty()) return fmt::format("node {}", node);
  const machines::Cluster* of = cluster_in(side_, cluster);
  std::vector<int> nodes = nodes_of_tier(machine, tier);
  const bool own = is_own(of, node);
  if (own) std::erase_if(nodes, [&](int each) { return !is_own(of, each); });
  const auto at = std::ranges::find(nodes, node) - nodes.begin();
  return fmt::format("{} {} {}", own ? "own" : "other", name_of(tier), at);
}

bool Places::is_own_node(int cluster, int node) const {
  return side_.shown.machine && !side_.shown.machine->tier_of(node).empty() &&
         is_own(cluster_in(side_, cluster), node);
}

std::string Places::threads(int cluster, int count, bool smt) const {
  const machines::Cluster* of = cluster_in(side_, cluster);
  const auto is = [&](std::size_t all) { return all > 0 && count == static_cast<int>(all); };
  if (of != nullptr && smt && is(hardware_threads(*of).size())) return "all hardware threads";
  if (of != nullptr && !smt && is(of->cores.size())) return "all cores";
  return count_text(count, "thread") + (smt ? " with SMT" : "");
}

bool Places::is_behind_cache(const model::Case& spec) const {
  if (spec.node >= 0) return side_.has_side_cache(spec.node);
  if (!side_.shown.machine) return false;
  return std::ranges::any_of(side_.shown.machine->nodes, [&](const machines::Node& node) {
    const bool is_meant = spec.tier.empty() || spec.tier.contains(node.tier);
    return is_meant && node.memory_side_cache_bytes > 0;
  });
}

model::Note Places::no_partner(int cluster) const {
  if (!partner_.shown.machine) return {};
  const machines::Cluster *mine = cluster_in(side_, cluster), *other = cluster_in(partner_, cluster);
  if (other == nullptr) return {NoteCode::no_cluster_there, {partner_.label, double(cluster)}};
  if (mine == nullptr || mine->kind == other->kind || mine->kind.empty() || other->kind.empty()) return {};
  return {NoteCode::other_cores_there, {double(cluster), partner_.label, other->kind, mine->kind}};
}

model::Note Places::no_partner(const model::Case& spec) const {
  if (model::Note reason = no_partner(spec.cluster); !reason.empty()) return reason;
  if (likeness_ == Likeness::same) return {};
  if (model::Note lacked = partner_.shown.machine ? lacked_by(partner_, spec) : model::Note();
      !lacked.empty())
    return lacked;
  const std::size_t own = cluster_count(side_), others = cluster_count(partner_);
  if (busy_everywhere(spec.pattern) && own != others)
    return {NoteCode::other_load_there, {double(own), double(others), partner_.label}};
  const bool is_far = may_be_far(spec.pattern) || spec.other_node >= 0;
  constexpr std::size_t unambiguous = 2;  // with two clusters there is one other
  if (is_far && (likeness_ == Likeness::different || own > unambiguous))
    return {NoteCode::other_distance_there, {partner_.label}};
  return {};
}

}  // namespace gable::cli
