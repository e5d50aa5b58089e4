#include "cli/kmaf/measured_costs.hpp"

#include <fmt/format.h>

#include <map>

#include "bench/c2c/pairs.hpp"
#include "cli/folder.hpp"
#include "model/c2c/classes.hpp"
#include "model/json/c2c/c2c.hpp"

namespace gable::cli {

namespace {

using model::C2cClassFigure;
using model::C2cMeasure;

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

std::optional<MeasuredCosts> measured_costs(const std::string& folder, const machines::Machine& machine) {
  std::vector<C2cClassFigure> classes =
      model::c2c_classes(model::c2c_figures(model::read_c2c_samples(file_in(folder, "c2c.jsonl"))));
  std::erase_if(classes, [](const C2cClassFigure& each) {
    return each.home != model::Home::both && each.home != model::Home::first;
  });
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
