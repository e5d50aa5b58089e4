#include "cli/compare/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/words.hpp"

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
void add_cells(Cells& cells, const Versus& versus, std::size_t index, bool wide, Notes& notes) {
  const Difference* difference = difference_of(versus, index);
  if (difference == nullptr) {
    cells.insert(cells.end(), wide ? 4 : 2, "-");
    return;
  }
  const Figure& figure = versus.other[difference->figures.other];
  const std::string mark = notes.mark(note_text(*difference));
  cells.push_back(value_cell(figure));
  if (wide) {
    cells.push_back(change_text(*difference, figure.is_share));
    cells.push_back(range_of(*difference, figure.is_share));
    cells.push_back(verdict(*difference, figure) + mark);
  } else {
    cells.push_back(change_text(*difference, figure.is_share) + (difference->significant ? " *" : "") + mark);
  }
}

Cells header_of(const Compared& compared) {
  Cells header = {"figure", "measured with", compared.sides.front().label};
  for (std::size_t i = 0; i < compared.versus.size(); ++i) {
    header.push_back(compared.other(i).label);
    header.emplace_back("change");
  }
  if (compared.versus.size() == 1) {
    header.emplace_back("95 % interval");
    header.emplace_back("significantly");
  }
  return header;
}

// The name of the only cluster moves from the lines into the title.
void name_cluster_once(TitledTable& table, const std::set<std::string>& clusters) {
  constexpr std::size_t between = 2;  // ", " or ": "
  if (clusters.size() != 1 || clusters.begin()->empty()) return;
  const std::string& cluster = *clusters.begin();
  table.title += ", " + cluster;
  for (std::size_t i = 1; i < table.lines.size(); ++i)
    table.lines[i].front().erase(0, cluster.size() + between);
}

// Drops the column of kernels and page sizes where no figure has them, as published ones.
void drop_variants(TitledTable& table) {
  const auto begin = table.lines.begin() + 1;
  if (!std::all_of(begin, table.lines.end(), [](const Cells& cells) { return cells[1].empty(); })) return;
  for (Cells& cells : table.lines) cells.erase(cells.begin() + 1);
  table.left = 1;
}

std::string drift_text(const model::Drift& drift) {
  return fmt::format("{} {:.2g} %{}", drift.group, 100 * drift.deviation,
                     drift.assumed ? " (assumed: too few figures to see it)" : "");
}

}  // namespace

std::string change_text(const Difference& difference, bool is_share) {
  return is_share ? signed_share(difference.change) : signed_percent(difference.change);
}

TitledTable sides_table(const Compared& compared) {
  TitledTable table{"Folders", {{"folder", "machine", "CPU", "measured"}}, 4, {}};
  for (const Side& side : compared.sides) {
    const bool published = std::ranges::any_of(side.shown.roofs.roofs,
                                               [](const model::Roof& roof) { return !roof.source.empty(); });
    const std::string when = !side.shown.when.empty() ? side.shown.when : published ? "published" : "?";
    table.lines.push_back(
        {side.label, side.shown.name, side.shown.machine ? side.shown.machine->cpu_model : "?", when});
    for (const std::string& remark : side.shown.remarks)
      table.notes.push_back(fmt::format("{}: {}", side.label, remark));
  }
  return table;
}

TitledTable changes_table(const Compared& compared) {
  TitledTable table{"What changed in hardware, system, settings and run", {{"", ""}}, 2, {}};
  for (const Side& side : compared.sides) table.lines.front().push_back(side.label);
  table.left = table.lines.front().size();
  for (const Change& change : compared.changes) {
    table.lines.push_back({change.group, change.name});
    table.lines.back().insert(table.lines.back().end(), change.values.begin(), change.values.end());
  }
  if (table.empty()) table.notes.emplace_back("machine.json and the samples show no difference.");
  return table;
}

TitledTable differences_table(const Compared& compared, bool all) {
  const bool none_judged = std::ranges::all_of(
      compared.versus, [](const Versus& versus) { return versus.comparison.judged == 0; });
  const bool every = all || none_judged;
  TitledTable table{every ? "Every figure" : "Significant differences", {header_of(compared)}, 2, {}};
  Notes notes;
  std::set<std::string> clusters;
  const std::vector<Figure>& figures = compared.versus.front().first;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!is_shown(compared, i, every)) continue;
    clusters.insert(figures[i].cluster);
    Cells cells = {figures[i].name, figures[i].variant, value_cell(figures[i])};
    for (const Versus& versus : compared.versus)
      add_cells(cells, versus, i, compared.versus.size() == 1, notes);
    table.lines.push_back(std::move(cells));
  }
  name_cluster_once(table, clusters);
  drop_variants(table);
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
