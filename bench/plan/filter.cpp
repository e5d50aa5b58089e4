#include "bench/plan/filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <map>

#include "base/error.hpp"
#include "base/words.hpp"

namespace gable::bench {

namespace {

using Getter = std::function<std::string(const model::Case&)>;

const std::map<std::string, Getter>& fields() {
  static const std::map<std::string, Getter> all = {
      {"kind", [](const model::Case& c) { return name_of(c.kind); }},
      {"cluster", [](const model::Case& c) { return std::to_string(c.cluster); }},
      {"level", [](const model::Case& c) { return c.level.name(); }},
      {"pattern", [](const model::Case& c) { return name_of(c.pattern); }},
      {"node", [](const model::Case& c) { return std::to_string(c.node); }},
      {"other_node", [](const model::Case& c) { return std::to_string(c.other_node); }},
      {"node_percent", [](const model::Case& c) { return std::to_string(c.node_percent); }},
      {"weights",
       [](const model::Case& c) {
         return c.node_weight > 0 ? fmt::format("{}:{}", c.node_weight, c.other_weight) : std::string();
       }},
      {"tier", [](const model::Case& c) { return name_of(c.tier); }},
      {"op", [](const model::Case& c) { return c.op.name(); }},
      {"kernel", [](const model::Case& c) { return c.kernel; }},
      {"precision", [](const model::Case& c) { return name_of(c.precision); }},
      {"pages", [](const model::Case& c) { return name_of(c.pages); }},
  };
  return all;
}

// Numbers are only compared by name: a bare "0" would match too much.
bool is_numeric(const std::string& field) {
  return field == "cluster" || field == "node" || field == "other_node" || field == "node_percent";
}

bool holds(const std::string& term, const model::Case& spec) {
  if (const auto equals = term.find('='); equals != std::string::npos) {
    return fields().at(term.substr(0, equals))(spec) == term.substr(equals + 1);
  }
  for (const auto& [name, get] : fields()) {
    if (!is_numeric(name) && get(spec) == term) return true;
  }
  return false;
}

}  // namespace

void check_filters(const std::vector<std::string>& filters) {
  for (const std::string& filter : filters) {
    if (filter.empty()) throw Error::usage("--only: an empty filter");
    for (const std::string& term : split(filter, ',')) {
      if (term.empty()) throw Error::usage(fmt::format("--only {}: an empty term", filter));
      const auto equals = term.find('=');
      if (equals == std::string::npos || fields().contains(term.substr(0, equals))) continue;
      std::vector<std::string> known;
      for (const auto& [name, unused] : fields()) known.push_back(name);
      const std::string field = term.substr(0, equals);
      throw Error::usage(fmt::format("--only {}: no field '{}'{}; fields are {}", filter, field,
                                     did_you_mean(field, known), fmt::join(known, ", ")));
    }
  }
}

std::vector<std::string> filter_values(const std::vector<std::string>& filters) {
  std::vector<std::string> values;
  for (const std::string& filter : filters) {
    for (const std::string& term : split(filter, ',')) values.push_back(term.substr(term.find('=') + 1));
  }
  return values;
}

bool wanted(const model::Case& spec, const std::vector<std::string>& filters) {
  if (filters.empty()) return true;
  for (const std::string& filter : filters) {
    bool all = true;
    for (const std::string& term : split(filter, ',')) all = all && holds(term, spec);
    if (all) return true;
  }
  return false;
}

}  // namespace gable::bench
