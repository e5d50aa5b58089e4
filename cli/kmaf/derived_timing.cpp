#include "cli/kmaf/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.hpp"
#include "bench/c2c/pairs.hpp"
#include "cli/fit/fit.hpp"
#include "cli/folder.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/lines.hpp"
#include "model/records/c2c.hpp"
#include "model/statistics/statistics.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {

namespace {

using model::C2cClassFigure;
using model::C2cMeasure;
using model::Case;
using model::Roof;

// The simulation counts 72 bytes on a link for a line of 64 (kmaf/replay/machine/memory_system.cpp).
constexpr double link_bytes_per_byte = 72.0 / 64;

model::Roofs measured_roofs(const std::string& folder) {
  if (std::filesystem::exists(file_in(folder, "roofs.json"))) return roofs_of(folder);
  return fit_samples(samples_of(folder), folder).roofs;
}

// Collects figures and what is missing, so that all of it is said at once.
class Derivation {
 public:
  Derivation(const std::string& folder, const machines::Machine& machine)
      : folder_(folder), roofs_(measured_roofs(folder)) {
    const kmaf::Hierarchy hierarchy = kmaf::hierarchy_of(machine);
    homes_.insert(hierarchy.nodes.begin(), hierarchy.nodes.end());
  }

  int nodes() const { return static_cast<int>(homes_.size()); }

  double latency(const char* field, const model::Level& level) {
    return figure(field, model::Kind::latency, "idle latency of " + level.name(), 1,
                  [&](const Case& spec) { return spec.level == level; });
  }
  double memory(const char* field, model::Kind kind, model::Pattern pattern, double factor,
                const std::string& what) {
    return memory_of(homes_, field, kind, pattern, factor, what);
  }
  // Returns the figures of memory nodes without cores, which all have one tier, or nothing if some are not
  // known.
  std::optional<kmaf::MemoryFigures> of_tier(const std::string& tier, const std::set<unsigned>& nodes,
                                             double& link_gb_per_s) {
    const std::vector<std::string> sources = sources_, missing = missing_;
    const auto of = [&](const char* field, model::Kind kind, model::Pattern pattern, double factor) {
      return memory_of(
          nodes, (tier + " " + field).c_str(), kind, pattern, factor,
          fmt::format("{} {} {}", kind == model::Kind::latency ? "idle latency of" : "load bandwidth of",
                      name_of(pattern), tier));
    };
    using model::Kind, model::Pattern;
    const kmaf::MemoryFigures timing = {of("local_ns", Kind::latency, Pattern::local, 1),
                                        of("remote_ns", Kind::latency, Pattern::remote, 1),
                                        of("memory_gb_per_s", Kind::bandwidth, Pattern::local, 1), 0, 0};
    const double link = of("link_gb_per_s", Kind::bandwidth, Pattern::remote, link_bytes_per_byte);
    if (missing_.size() > missing.size()) {
      sources_ = sources;
      missing_ = missing;
      return {};
    }
    link_gb_per_s = std::max(link_gb_per_s, link);
    return timing;
  }

  DerivedTiming result(const kmaf::Timing& timing, const kmaf::TierFigures& tiers) const {
    if (missing_.empty()) return {timing, tiers, sources_};
    throw Error::usage(fmt::format(
        "{}: it has no replay.json, and figures to use instead are not known: {}; measure them with `gable "
        "measure`, or write replay.json (docs/formats/traces.md)",
        folder_, fmt::join(missing_, ", ")));
  }

 private:
  double memory_of(const std::set<unsigned>& nodes, const char* field, model::Kind kind,
                   model::Pattern pattern, double factor, const std::string& what) {
    return figure(field, kind, what, factor, [&](const Case& spec) {
      return is_memory(spec.level) && spec.pattern == pattern &&
             nodes.contains(static_cast<unsigned>(spec.node));
    });
  }

  // The median over clusters and nodes, each with its best page size and kernel.
  template <typename Wanted>
  double figure(const char* field, model::Kind kind, const std::string& what, double factor,
                const Wanted& wanted) {
    std::vector<double> values;
    for (const Roof& roof : model::best_of_each(roofs_.roofs, [&](const Roof& each) {
           return each.spec.kind == kind &&
                  (kind != model::Kind::bandwidth || each.spec.op == model::operations::load) &&
                  wanted(each.spec);
         })) {
      if (roof.status == model::Status::ok) values.push_back(roof.value * factor);
    }
    if (values.empty()) {
      missing_.push_back(what);
      return 0;
    }
    const double value = model::median(values);
    sources_.push_back(
        fmt::format("{} {:.4g}: {}{}{}", field, value, what, factor == 1 ? "" : " times 72/64",
                    values.size() == 1 ? "" : fmt::format(", median of {} figures", values.size())));
    return value;
  }

  std::string folder_;
  model::Roofs roofs_;
  std::set<unsigned> homes_;  // os indices of the nodes that pages are moved between
  std::vector<std::string> sources_, missing_;
};

bool is_in_a_node(const model::PairClass& between) {
  return between.relation > model::Relation::core && between.relation <= model::Relation::node;
}

// The median over the classes of modified lines, in a node or between nodes; 0 without any.
double transfer_ns(const std::vector<C2cClassFigure>& classes, bool in_a_node) {
  std::vector<double> values;
  for (const C2cClassFigure& each : classes) {
    const bool counts =
        each.between.relation != model::Relation::core && is_in_a_node(each.between) == in_a_node;
    if (counts && each.measure == C2cMeasure::modified) values.push_back(each.estimate.value);
  }
  return values.empty() ? 0 : model::median(values);
}

// By the class of each pair, which the topology tells.
kmaf::MeasuredCost cost_by_class(const machines::Machine& machine,
                                 std::map<model::PairClass, double> classes) {
  std::map<unsigned, machines::Place> places;
  for (const machines::Place& place : machines::places_of(machine)) places[place.pu] = place;
  return
      [machine, classes = std::move(classes), places](unsigned pu, unsigned other) -> std::optional<double> {
        const auto from = places.find(pu), to = places.find(other);
        if (from == places.end() || to == places.end()) return {};
        const auto found = classes.find(bench::class_of(machine, from->second, to->second));
        return found == classes.end() ? std::nullopt : std::optional(found->second);
      };
}

}  // namespace

DerivedTiming derived_timing(const std::string& folder, const machines::Machine& machine) {
  Derivation derivation(folder, machine);
  if (derivation.nodes() < 2)
    throw Error::usage(folder +
                       ": it has no replay.json and only one NUMA node: there is no latency of remote memory "
                       "to use, and all policies place the pages on the same node");
  kmaf::Timing timing;
  timing.l1_ns = derivation.latency("l1_ns", model::Level::cache(1));
  timing.l2_ns = derivation.latency("l2_ns", model::Level::cache(2));
  if (kmaf::has_l3(machine)) timing.l3_ns = derivation.latency("l3_ns", model::Level::cache(3));
  timing.local_ns = derivation.memory("local_ns", model::Kind::latency, model::Pattern::local, 1,
                                      "idle latency of local memory");
  timing.remote_ns = derivation.memory("remote_ns", model::Kind::latency, model::Pattern::remote, 1,
                                       "idle latency of remote memory");
  timing.link_gb_per_s =
      derivation.memory("link_gb_per_s", model::Kind::bandwidth, model::Pattern::remote, link_bytes_per_byte,
                        "load bandwidth of a cluster from remote memory");
  timing.memory_gb_per_s = derivation.memory("memory_gb_per_s", model::Kind::bandwidth, model::Pattern::local,
                                             1, "load bandwidth of a cluster from local memory");
  kmaf::TierFigures tiers;
  for (const auto& [tier, nodes] : kmaf::other_memories(machine)) {
    if (const auto its = derivation.of_tier(name_of(tier), nodes, timing.link_gb_per_s)) tiers[tier] = *its;
  }
  return derivation.result(timing, tiers);
}

std::optional<MeasuredCosts> measured_costs(const std::string& folder, const machines::Machine& machine) {
  std::vector<C2cClassFigure> classes = model::c2c_classes(
      model::c2c_figures(model::read_lines<model::C2cSample>(file_in(folder, "c2c.jsonl"))));
  std::erase_if(classes, [](const C2cClassFigure& each) { return !is_at_first(each.home); });
  std::map<model::PairClass, double> handoffs;
  for (const C2cClassFigure& each : classes)
    if (each.measure == C2cMeasure::handoff) handoffs[each.between] = each.estimate.value;
  if (handoffs.empty()) return {};
  MeasuredCosts costs;
  costs.core_transfer_ns = transfer_ns(classes, true);
  costs.node_transfer_ns = transfer_ns(classes, false);
  if (costs.core_transfer_ns > 0)
    costs.sources.push_back(fmt::format("core_transfer_ns {:.4g}: modified line between cores of a node",
                                        costs.core_transfer_ns));
  if (costs.node_transfer_ns > 0)
    costs.sources.push_back(
        fmt::format("node_transfer_ns {:.4g}: modified line between nodes", costs.node_transfer_ns));
  costs.of_levels = "costs of the hierarchy's levels: hand-offs between cores";
  costs.cost = cost_by_class(machine, std::move(handoffs));
  return costs;
}

}  // namespace gable::cli
