#include "cli/show/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/words.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {

namespace {

using model::C2cClassFigure;
using model::C2cFigure;
using model::C2cMeasure;
using model::Home;

constexpr C2cMeasure measures[] = {C2cMeasure::handoff, C2cMeasure::modified, C2cMeasure::shared};

// The reasons of what has no figure, each once.
void add_reasons(const std::vector<C2cFigure>& figures, std::vector<std::string>& notes) {
  model::NotesByKind reasons;
  for (const C2cFigure& figure : figures)
    if (figure.status != model::Status::ok) add_alike(reasons, name_of(figure.status), figure.reason);
  for (const auto& [kind, reason] : reasons)
    notes.push_back(
        fmt::format("{} {}: {}.", count_text(reason.count(), "figure"), kind.first, reason.text()));
}

}  // namespace

std::string c2c_sentence(const std::vector<C2cFigure>& figures) {
  std::string text;
  for (const C2cClassFigure& each : model::c2c_classes(figures)) {
    if (each.measure != C2cMeasure::handoff || !is_at_first(each.home)) continue;
    text += fmt::format("{} {} {:.3g}{}", text.empty() ? "" : ",", name_of(each.between), each.estimate.value,
                        text.empty() ? " ns" : "");
  }
  return text.empty() ? "" : fmt::format("Between cores:{} (locked increment, one way)", text);
}

Table c2c_table(const std::vector<C2cFigure>& figures) {
  Table table{"Between cores, ns", columns({"pairs of CPUs", "the line is on the"})};
  for (const C2cMeasure measure : measures) table.add_column(std::string(row_of(measure).words));
  for (const char* name : {"least", "most", "pairs"}) table.add_column(name);
  std::map<std::pair<model::PairClass, Home>, std::map<C2cMeasure, C2cClassFigure>> rows;
  for (const C2cClassFigure& each : model::c2c_classes(figures))
    rows[{each.between, each.home}][each.measure] = each;
  for (const auto& [what, of_measures] : rows) {
    Row cells = {name_of(what.first), std::string(row_of(what.second).words)};
    for (const C2cMeasure measure : measures) {
      const auto found = of_measures.find(measure);
      cells.push_back(found == of_measures.end() ? Cell("-") : with_ends(found->second.estimate));
    }
    const C2cClassFigure& first = of_measures.begin()->second;
    const auto handoff = of_measures.find(C2cMeasure::handoff);
    const C2cClassFigure& shown = handoff == of_measures.end() ? first : handoff->second;
    cells.insert(cells.end(), {number(shown.least), number(shown.most), std::to_string(shown.pairs)});
    table.rows.push_back(std::move(cells));
  }
  constexpr std::size_t most = 8;
  const std::vector<model::C2cOutlier> outliers = model::c2c_outliers(figures);
  for (std::size_t i = 0; i < std::min(most, outliers.size()); ++i)
    table.notes.push_back("Differs from its class: " + words_of(outliers[i]) + ".");
  if (outliers.size() > most)
    table.notes.push_back(fmt::format("{} more pairs differ.", outliers.size() - most));
  add_reasons(figures, table.notes);
  return table;
}

Table c2c_groups_table(const std::vector<C2cFigure>& figures) {
  Table table{"Threads that contend for one line",
              columns({}, {"threads", "increments, M/s", "fairness", "lock, M/s", "fairness"})};
  std::map<std::size_t, std::map<C2cMeasure, const C2cFigure*>> rows;
  for (const C2cFigure& figure : figures)
    if (!row_of(figure.spec.measure).of_pairs && figure.status == model::Status::ok)
      rows[figure.spec.pus.size()][figure.spec.measure] = &figure;
  for (const auto& [threads, of_measures] : rows) {
    Row cells = {std::to_string(threads)};
    for (const C2cMeasure measure : {C2cMeasure::increments, C2cMeasure::lock}) {
      const auto found = of_measures.find(measure);
      const bool known = found != of_measures.end();
      cells.push_back(known ? with_ends(found->second->estimate) : Cell("-"));
      cells.emplace_back(known ? fmt::format("{:.2f}", found->second->fairness) : "-");
    }
    table.rows.push_back(std::move(cells));
  }
  if (!table.empty()) table.notes.emplace_back("Fairness: Jain's index, 1 if all threads get the same.");
  return table;
}

std::string c2c_text(const std::vector<C2cFigure>& figures) {
  if (figures.empty()) return {};
  const std::string sentence = c2c_sentence(figures);
  return (sentence.empty() ? "" : folded(sentence + ".", 2) + "\n") + table_text(c2c_table(figures)) +
         table_text(c2c_groups_table(figures));
}

}  // namespace gable::cli
