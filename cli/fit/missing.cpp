#include "cli/fit/missing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "base/words.hpp"
#include "cli/fit/figure_text.hpp"
#include "cli/text/columns.hpp"
#include "model/json/case.hpp"
#include "model/records/names.hpp"

namespace gable::cli {
using model::Roof;
using model::Status;

std::vector<Missing> missing_of(const model::Roofs& roofs, const std::vector<Roof>& cells) {
  std::vector<Roof> points;
  for (const model::Validation& validation : roofs.validation) {
    for (const model::ValidationPoint& point : validation.points) points.push_back(point.measured);
  }
  std::map<std::pair<Status, model::Note>, std::pair<model::AlikeNotes, std::vector<std::string>>> reasons;
  for (const std::vector<Roof>* list :
       std::initializer_list<const std::vector<Roof>*>{&roofs.roofs, &roofs.ladder, &points, &cells}) {
    for (const Roof& roof : *list) {
      if (roof.status == Status::ok) continue;
      auto& [reason, cases] = reasons[{roof.status, model::AlikeNotes::kind_of(roof.reason)}];
      reason.add(roof.reason);
      cases.push_back(name_of(roof.spec, model::Style::cell));
    }
  }
  std::vector<Missing> missing;
  for (auto& [why, befell] : reasons)
    missing.push_back({why.first, befell.first.text(), std::move(befell.second)});
  return missing;
}

std::string missing_table(const std::vector<Missing>& missing) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (const auto& [status, reason, cases] : missing) {
    const std::vector<std::string> first(cases.begin(), cases.begin() + std::min(shown, cases.size()));
    text += folded(fmt::format("  {} {}: {}", cases.size(), model::name_of(status), reason), 4) +
            folded(fmt::format("      {}{}", fmt::join(first, "; "), cases.size() > shown ? "; ..." : ""), 6);
  }
  return text.empty() ? "" : "Not measured\n" + text + "\n";
}

}  // namespace gable::cli
