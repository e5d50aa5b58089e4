#include "cli/compare/lone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <tuple>

#include "base/tables/table.hpp"
#include "cli/text/columns.hpp"
#include "model/json/case.hpp"

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

}  // namespace

std::string lone_reason(const Compared& compared, std::size_t number, const model::Lone& lone) {
  return status_there(compared, number, lone) + sentence(lone.reason);
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

}  // namespace gable::cli
