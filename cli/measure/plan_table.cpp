#include "cli/measure/plan_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/words.hpp"
#include "bench/schedule/costs.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"

namespace gable::cli {

namespace {

struct PlanRow {
  std::string name;
  int cells = 0, visits = 0;
  double seconds = 0;
};

// Rows in the order of their first runs in the plan.
PlanRow& row_of(std::vector<PlanRow>& rows, const std::string& name) {
  for (PlanRow& row : rows) {
    if (row.name == name) return row;
  }
  return rows.emplace_back(PlanRow{name});
}

// Cells and visits in order.
class PlanRows {
 public:
  void add(const bench::OpenVisit& visit, const bench::Done& done) {
    PlanRow& row = row_of(rows_, name_of(visit.run->cases.front(), model::Style::group));
    for (const model::Case& spec : visit.run->cases) {
      if (bench::is_open(spec, visit.round, done) && cells_.insert(&spec).second) ++row.cells;
    }
    ++row.visits;
    const bench::Cost cost = costs_.next(*visit.run);
    row.seconds += cost.total();
    seconds_ += cost.total();
    set_up_ += cost.set_up;
    ++visits_;
  }

  /// "24 cells, 48 visits, about 0:20"
  std::string sum() const {
    return fmt::format("{}, {}, about {}", count_text(std::ssize(cells_), "cell"),
                       count_text(visits_, "visit"), clock_text(seconds_));
  }
  std::string table() const {
    if (rows_.empty()) return {};
    std::string text = fmt::format("\n{:<40}{:>8}{:>9}{:>9}\n", "", "cells", "visits", "time");
    for (const PlanRow& row : rows_)
      text +=
          fmt::format("{:<40}{:>8}{:>9}{:>9}\n", row.name, row.cells, row.visits, clock_text(row.seconds));
    return text;
  }
  std::string set_up() const {
    if (seconds_ <= 0) return {};
    return folded(fmt::format("Of this, {:.0f} % for touching and linking memory", 100 * set_up_ / seconds_));
  }
  double seconds() const { return seconds_; }
  std::size_t cells() const { return cells_.size(); }

 private:
  std::vector<PlanRow> rows_;
  std::set<const model::Case*> cells_;
  std::size_t visits_ = 0;
  double seconds_ = 0, set_up_ = 0;
  bench::Costs costs_;
};

// Cells that are visited only if spots differ.
std::string reserve_text(const bench::Plan& plan) {
  std::int64_t cells = 0;
  for (const bench::Run& run : plan.runs) cells += run.reserve ? std::ssize(run.cases) : 0;
  if (cells == 0) return {};
  return folded(fmt::format("{} of like clusters, nodes and pairs are left out, unless spots of them differ",
                            count_text(cells, "cell")));
}

PlanRows rows_of(std::span<const bench::OpenVisit> visits, const bench::Done& done) {
  PlanRows rows;
  for (const bench::OpenVisit& visit : visits) rows.add(visit, done);
  return rows;
}

std::vector<bench::OpenVisit> visits_of(const bench::Plan& plan, const bench::Done& done) {
  std::vector<bench::OpenVisit> visits = bench::open_visits(plan, done);
  std::erase_if(visits, [](const bench::OpenVisit& visit) { return !visit.run->skip.empty(); });
  return visits;
}

}  // namespace

std::string skips_text(const bench::Plan& plan) {
  std::vector<std::pair<std::string, std::size_t>> skips;
  for (const bench::Run& run : plan.runs) {
    if (run.skip.empty()) continue;
    const std::string what =
        fmt::format("{}: {}", name_of(run.cases.front(), model::Style::group), sentence(run.skip));
    const auto known = std::ranges::find(skips, what, &std::pair<std::string, std::size_t>::first);
    if (known == skips.end()) {
      skips.emplace_back(what, run.cases.size());
    } else {
      known->second += run.cases.size();
    }
  }
  std::string text = skips.empty() ? "" : "\nSkipped on this machine:\n";
  for (const auto& [what, count] : skips)
    text += folded(fmt::format("  {} ({})", what, count_text(count, "cell")), 4);
  return text;
}

double plan_seconds_left(const bench::Plan& plan, const bench::Done& done) {
  return rows_of(visits_of(plan, done), done).seconds();
}

std::string plan_table(const bench::Plan& plan, const bench::Options& options, const bench::Done& done,
                       const std::string& folder) {
  const std::vector<bench::OpenVisit> all = visits_of(plan, {}), open = visits_of(plan, done);
  const std::size_t within = bench::within_budget(open, options.budget_seconds);
  const PlanRows left = rows_of(open, done), now = rows_of(std::span(open).first(within), done);
  std::string text =
      folded(fmt::format("Plan of preset {}: {}", options.preset->name, rows_of(all, {}).sum()), 2);
  text += rows_of(all, {}).set_up() + reserve_text(plan);
  if (open.empty() && !all.empty()) {
    text += folded(fmt::format("{} is complete: nothing would be measured", folder), 2);
  } else if (open.size() < all.size()) {
    text += folded(fmt::format("{} has part of it; left: {}", folder, left.sum()), 2);
  }
  if (within < open.size()) {
    const std::size_t missed = left.cells() - now.cells();
    const std::string rest = missed == 0 ? "the next call measures the rest"
                                         : count_text(missed, "cell") + " would not be reached";
    text += folded(
        fmt::format("The budget of {:g} s is enough for: {}; {}", options.budget_seconds, now.sum(), rest),
        2);
  }
  return text + now.table() + skips_text(plan);
}

}  // namespace gable::cli
