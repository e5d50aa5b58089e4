#include "cli/compare/compared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/json.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {

namespace {

// Where a figure without counterpart is.
std::string where_text(const Compared& compared, std::size_t number, const model::Lone& lone) {
  const std::string &first = compared.sides.front().label, &other = compared.other(number).label;
  if (lone.first && lone.other) return fmt::format("neither {} nor {}", first, other);
  const std::string &has = lone.first ? first : other, &lacks = lone.first ? other : first;
  return compared.versus.size() == 1 ? has + " only" : fmt::format("{}, not {}", has, lacks);
}

std::string lone_name(const Versus& versus, const model::Lone& lone) {
  const model::Figure& figure = lone.first ? versus.first[*lone.first] : versus.other[*lone.other];
  return figure.variant.empty() ? figure.name : fmt::format("{} ({})", figure.name, figure.variant);
}

// "skipped in B: "; empty if it has another reason.
std::string status_there(const Compared& compared, std::size_t number, const model::Lone& lone) {
  if (lone.there == model::Status::ok) return {};
  const Side& lacks = lone.first ? compared.other(number) : compared.sides.front();
  return fmt::format("{} in {}: ", model::name_of(lone.there), lacks.label);
}

void add_lone(Table& table, const Compared& compared, std::size_t number, bool all) {
  constexpr std::size_t most_names = 2;
  const Versus& versus = compared.versus[number];
  std::map<std::tuple<std::string, std::string, model::Note>,
           std::pair<model::AlikeNotes, std::vector<std::string>>>
      groups;
  for (const model::Lone& lone : versus.comparison.lone) {
    auto& [reason, names] = groups[{where_text(compared, number, lone), status_there(compared, number, lone),
                                    model::AlikeNotes::kind_of(lone.reason)}];
    reason.add(lone.reason);
    names.push_back(lone_name(versus, lone));
  }
  for (auto& [key, group] : groups) {
    auto& [reason, names] = group;
    const std::string count = std::to_string(names.size());
    if (!all && names.size() > most_names) {
      names.resize(most_names);
      names.emplace_back("…");
    }
    const auto& [where, status, unused] = key;
    table.rows.push_back({where, count, status + reason.text(), fmt::format("{}", fmt::join(names, "; "))});
  }
}

// A figure in one of the folders; a value that is not known is null.
Json figure_json(const model::Figure& figure) {
  const bool ok = figure.status == model::Status::ok;
  const auto known = [&](double value) { return ok ? Json(value) : Json(nullptr); };
  const model::Estimate& estimate = figure.estimate;
  return {{"measured_with", figure.variant},
          {"bytes", figure.bytes},
          {"value", known(estimate.value)},
          {"lo", known(estimate.lo)},
          {"hi", known(estimate.hi)},
          {"n", estimate.n},
          {"rounds", figure.visits > 0 ? Json(figure.visits) : Json(nullptr)},
          {"status", model::name_of(figure.status)},
          {"reason", sentence(figure.reason)}};
}

Json difference_json(const Versus& versus, const model::Difference& difference) {
  const model::Figure &first = versus.first[difference.figures.first],
                      &other = versus.other[difference.figures.other];
  const bool judged = difference.not_judged.empty();
  const double scale = first.is_share ? 1 : 100;
  const auto known = [&](double value) { return judged ? Json(value) : Json(nullptr); };
  Json out = {{"section", first.section}, {"name", first.name}, {"unit", first.unit}};
  const auto put = [&](const char* percent, const char* share, const Json& value) {
    out[percent] = first.is_share ? Json(nullptr) : value;
    out[share] = first.is_share ? value : Json(nullptr);
  };
  out["first"] = figure_json(first);
  out["other"] = figure_json(other);
  put("change_percent", "change", scale * difference.change);
  put("change_lo_percent", "change_lo", known(scale * difference.lo));
  put("change_hi_percent", "change_hi", known(scale * difference.hi));
  out["p"] = known(difference.p);
  out["adjusted_p"] = known(difference.adjusted_p);
  out["significant"] = judged ? Json(difference.significant) : Json(nullptr);
  out["worse"] = first.better == model::Better::neither ? Json(nullptr) : Json(difference.worse);
  out["note"] = difference.figures.note;
  out["not_judged"] = difference.not_judged;
  return out;
}

// Why the figure has no counterpart: "invalid in B: a neighbour kept 1.5 CPUs busy". `number`: of the
// Versus.
std::string lone_reason(const Compared& compared, std::size_t number, const model::Lone& lone) {
  return status_there(compared, number, lone) + sentence(lone.reason);
}

Json lone_json(const Compared& compared, std::size_t number, const model::Lone& lone) {
  const Versus& versus = compared.versus[number];
  const model::Figure& figure = lone.first ? versus.first[*lone.first] : versus.other[*lone.other];
  const char* where = lone.first && lone.other ? "neither" : lone.first ? "first" : "other";
  return {{"in", where},
          {"section", figure.section},
          {"name", figure.name},
          {"unit", figure.unit},
          {"figure", figure_json(figure)},
          {"reason", lone_reason(compared, number, lone)}};
}

Json versus_json(const Compared& compared, std::size_t number, std::optional<double> fail_above) {
  const Versus& versus = compared.versus[number];
  const model::Comparison& comparison = versus.comparison;
  Json out = {{"other", number + 1},
              {"matched", versus.matched},
              {"compared", comparison.differences.size()},
              {"judged", comparison.judged},
              {"significant", comparison.significant}};
  out["drift"] = Json::array();
  for (const model::Drift& drift : comparison.drifts)
    out["drift"].push_back(
        {{"figures", drift.group}, {"percent", 100 * drift.deviation}, {"assumed", drift.assumed}});
  out["figures"] = Json::array();
  for (const model::Difference& difference : comparison.differences) {
    out["figures"].push_back(difference_json(versus, difference));
    if (fail_above) out["figures"].back()["fails"] = difference.fails(*fail_above);
  }
  out["without_counterpart"] = Json::array();
  for (const model::Lone& lone : comparison.lone)
    out["without_counterpart"].push_back(lone_json(compared, number, lone));
  return out;
}

}  // namespace

const model::Difference* difference_of(const Versus& versus, std::size_t index) {
  const auto& all = versus.comparison.differences;
  const auto found = std::ranges::lower_bound(all, index, {},
                                              [](const model::Difference& one) { return one.figures.first; });
  return found != all.end() && found->figures.first == index ? &*found : nullptr;
}

Table lone_table(const Compared& compared, bool all) {
  Table table{"Figures without a counterpart", columns({"in"}, {"figures"}, {"why", "which"})};
  for (std::size_t i = 0; i < compared.versus.size(); ++i) add_lone(table, compared, i, all);
  return table;
}

std::string lone_text(const Table& table) {
  if (table.empty()) return {};
  std::string text = table.title + "\n";
  for (const Row& cells : table.rows)
    text += folded(fmt::format("  {} in {}: {}", cells[1].text, cells[0].text, cells[2].text), 4) +
            folded("      " + cells[3].text, 6);
  return text + "\n";
}

std::string compared_json(const Compared& compared, std::optional<double> fail_above) {
  Json out = Json::object();
  out["schema"] = model::schema;
  out["fail_above_percent"] = fail_above ? Json(*fail_above) : Json(nullptr);
  out["folders"] = Json::array();
  for (const Side& side : compared.sides)
    out["folders"].push_back({{"label", side.label},
                              {"name", side.shown.name},
                              {"cpu_model", side.shown.machine ? side.shown.machine->cpu_model : ""},
                              {"started", side.started},
                              {"remarks", side.shown.remarks}});
  out["changes"] = Json::array();
  for (const Change& change : compared.changes)
    out["changes"].push_back({{"group", change.group}, {"name", change.name}, {"values", change.values}});
  out["comparisons"] = Json::array();
  for (std::size_t i = 0; i < compared.versus.size(); ++i)
    out["comparisons"].push_back(versus_json(compared, i, fail_above));
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli
