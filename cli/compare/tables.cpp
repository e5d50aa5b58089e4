#include "cli/compare/compared.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {
namespace {

using model::Better;
using model::Difference;
using model::Figure;

std::string signed_share(double change) {
  return fmt::format("{:+.3f}", change);
}

std::string range_of(const Difference& difference, bool is_share) {
  if (!difference.not_judged.empty()) return "?";
  const auto text = is_share ? signed_share : signed_percent;
  std::string lo = text(difference.lo);
  if (!is_share) lo.resize(lo.size() - 2);  // one percent sign is enough
  return fmt::format("{} to {}", lo, text(difference.hi));
}

std::string value_cell(const Figure& figure) {
  if (figure.status != model::Status::ok) return "-";
  const double value = figure.estimate.value;
  return figure.is_share ? fmt::format("{:.3f}", value) : number(value) + " " + figure.unit;
}

std::string verdict(const Difference& difference, const Figure& figure) {
  if (!difference.not_judged.empty()) return "not judged";
  if (!difference.significant) return "";
  return figure.better == Better::neither ? "differs" : difference.worse ? "worse" : "better";
}

bool is_shown(const Compared& compared, std::size_t index, bool all) {
  return std::ranges::any_of(compared.versus, [&](const Versus& versus) {
    const Difference* difference = difference_of(versus, index);
    return difference != nullptr && (all || difference->significant);
  });
}

// Notes get numbers that their lines refer to.
class Notes {
 public:
  std::string mark(const std::string& note) {
    if (note.empty()) return "";
    auto found = std::ranges::find(notes_, note);
    if (found == notes_.end()) found = notes_.insert(notes_.end(), note);
    return fmt::format(" [{}]", found - notes_.begin() + 1);
  }
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < notes_.size(); ++i)
      lines.push_back(fmt::format("[{}] {}.", i + 1, notes_[i]));
    return lines;
  }

 private:
  std::vector<std::string> notes_;
};

std::string note_text(const Difference& difference) {
  std::string note = difference.figures.note;
  if (!difference.not_judged.empty()) note += (note.empty() ? "" : "; ") + difference.not_judged;
  return note;
}

// A difference has its interval if two folders are compared; with more there is no room for it.
void add_cells(Row& cells, const Versus& versus, std::size_t index, bool wide, Notes& notes) {
  const Difference* difference = difference_of(versus, index);
  if (difference == nullptr) {
    cells.insert(cells.end(), wide ? 4 : 2, "-");
    return;
  }
  const Figure& figure = versus.other[difference->figures.other];
  const std::string mark = notes.mark(note_text(*difference));
  cells.emplace_back(value_cell(figure));
  if (wide) {
    cells.emplace_back(change_text(*difference, figure.is_share));
    cells.emplace_back(range_of(*difference, figure.is_share));
    cells.emplace_back(verdict(*difference, figure) + mark);
  } else {
    cells.emplace_back(change_text(*difference, figure.is_share) + (difference->significant ? " *" : "") +
                       mark);
  }
}

std::vector<Column> columns_of(const Compared& compared) {
  std::vector<std::string> figures = {compared.sides.front().label}, last;
  for (std::size_t i = 0; i < compared.versus.size(); ++i) {
    figures.push_back(compared.other(i).label);
    figures.emplace_back("change");
  }
  if (compared.versus.size() == 1) {
    figures.emplace_back("95 % interval");
    last.emplace_back("significantly");
  } else {
    last.push_back(figures.back());
    figures.pop_back();
  }
  return columns({"figure", "measured with"}, figures, last);
}

// The name of the only cluster moves from the lines into the title.
void name_cluster_once(Table& table, const std::set<std::string>& clusters) {
  constexpr std::size_t between = 2;  // ", " or ": "
  if (clusters.size() != 1 || clusters.begin()->empty()) return;
  const std::string& cluster = *clusters.begin();
  table.title += ", " + cluster;
  for (Row& row : table.rows) row.front().text.erase(0, cluster.size() + between);
}

std::string drift_text(const model::Drift& drift) {
  return fmt::format("{} {:.2g} %{}", drift.group, 100 * drift.deviation,
                     drift.assumed ? " (assumed: too few figures to see it)" : "");
}

}  // namespace

std::string change_text(const Difference& difference, bool is_share) {
  return is_share ? signed_share(difference.change) : signed_percent(difference.change);
}

Table sides_table(const Compared& compared) {
  Table table{"Folders", columns({"folder", "machine", "CPU", "measured"})};
  for (const Side& side : compared.sides) {
    const bool published = std::ranges::any_of(side.shown.roofs.roofs,
                                               [](const model::Roof& roof) { return !roof.source.empty(); });
    const std::string when = !side.shown.when.empty() ? side.shown.when : published ? "published" : "?";
    table.rows.push_back(
        {side.label, side.shown.name, side.shown.machine ? side.shown.machine->cpu_model : "?", when});
    for (const std::string& remark : side.shown.remarks)
      table.notes.push_back(fmt::format("{}: {}", side.label, remark));
  }
  return table;
}

Table changes_table(const Compared& compared) {
  Table table{"What changed in hardware, system, settings and run", columns({"", ""})};
  for (const Side& side : compared.sides) table.add_column(side.label, false);
  for (const Change& change : compared.changes) {
    table.rows.push_back({change.group, change.name});
    table.rows.back().insert(table.rows.back().end(), change.values.begin(), change.values.end());
  }
  if (table.empty())
    table.notes.emplace_back(
        "machine.json and the samples show no difference of hardware, system, settings or run.");
  return table;
}

Table differences_table(const Compared& compared, bool all) {
  const bool none_judged = std::ranges::all_of(
      compared.versus, [](const Versus& versus) { return versus.comparison.judged == 0; });
  const bool every = all || none_judged;
  Table table{every ? "Every figure" : "Significant differences", columns_of(compared)};
  Notes notes;
  std::set<std::string> clusters;
  const std::vector<Figure>& figures = compared.versus.front().first;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!is_shown(compared, i, every)) continue;
    clusters.insert(figures[i].cluster);
    Row cells = {figures[i].name, figures[i].variant, value_cell(figures[i])};
    for (const Versus& versus : compared.versus)
      add_cells(cells, versus, i, compared.versus.size() == 1, notes);
    table.rows.push_back(std::move(cells));
  }
  name_cluster_once(table, clusters);
  if (std::ranges::all_of(table.rows, [](const Row& row) { return row[1].empty(); }))  // as of published ones
    table.drop_column(1);
  table.notes = notes.lines();
  if (table.empty())
    table.notes.emplace_back(every ? "No figure has a counterpart." : "No difference is significant.");
  if (compared.versus.size() > 1 && !table.empty()) table.notes.emplace_back("*: significant.");
  return table;
}

std::vector<std::string> summary(const Compared& compared) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < compared.versus.size(); ++i) {
    const auto& [first, other, comparison, matched] = compared.versus[i];
    int worse = 0, better = 0;
    for (const Difference& difference : comparison.differences) {
      if (!difference.significant) continue;
      const Better direction = first[difference.figures.first].better;
      worse += direction != Better::neither && difference.worse ? 1 : 0;
      better += direction != Better::neither && !difference.worse ? 1 : 0;
    }
    const auto total = std::ssize(comparison.differences);
    std::string line =
        fmt::format("{} compared with {}: ", compared.other(i).label, compared.sides.front().label);
    line += total == 0 ? "no figure has a counterpart."
                       : fmt::format("{}, {} judged, {} significantly different ({} worse, {} better).",
                                     count_text(total, "figure"), comparison.judged, comparison.significant,
                                     worse, better);
    std::vector<std::string> drifts;
    for (const model::Drift& drift : comparison.drifts) drifts.push_back(drift_text(drift));
    if (!drifts.empty())
      line += fmt::format(" Drift between the two runs that the intervals allow for: {}.",
                          fmt::join(drifts, ", "));
    lines.push_back(line + " " + matched);
  }
  return lines;
}

}  // namespace gable::cli
