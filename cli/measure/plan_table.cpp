#include "cli/measure/plan_table.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/schedule/costs.hpp"
#include "cli/text/columns.hpp"
#include "kernels/kernel.hpp"
#include "model/json/record_io.hpp"
#include "model/records/names.hpp"

namespace gable::cli {

namespace {

using model::Case;

struct PlanRow {
  int cells = 0, visits = 0;
  double seconds = 0;
};

// Cells and visits in order.
class PlanRows {
 public:
  void add(const bench::OpenVisit& visit, const bench::Done& done) {
    PlanRow& row = value_for(rows_, name_of(visit.run->cases.front(), model::Style::group));
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
    for (const auto& [name, row] : rows_)
      text += fmt::format("{:<40}{:>8}{:>9}{:>9}\n", name, row.cells, row.visits, clock_text(row.seconds));
    return text;
  }
  std::string set_up() const {
    if (seconds_ <= 0) return {};
    return folded(fmt::format("Of this, {:.0f} % for touching and linking memory", 100 * set_up_ / seconds_));
  }
  double seconds() const { return seconds_; }
  std::size_t cells() const { return cells_.size(); }

 private:
  std::vector<std::pair<std::string, PlanRow>> rows_;  // in the order of their first runs in the plan
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

// Kernels in the order in which the plan first needs them, and how many cells each has.
std::vector<std::pair<const kernels::Kernel*, int>> kernels_of(const bench::Plan& plan) {
  std::vector<std::pair<const kernels::Kernel*, int>> found;
  for (const bench::Run& run : plan.runs) {
    if (!run.skip.empty() || run.reserve) continue;
    for (const Case& spec : run.cases) {
      const kernels::Kernel* kernel = kernels::named(spec.kernel);
      if (kernel != nullptr) ++value_for(found, kernel);
    }
  }
  return found;
}

std::string kernel_table(const bench::Plan& plan) {
  Table table{"Kernels, with the bytes and flops of one loop iteration",
              columns({"kernel", "op", "ISA"}, {"bytes loaded", "stored", "flops", "cells"})};
  for (const auto& [kernel, cells] : kernels_of(plan)) {
    table.rows.push_back({kernel->name, kernel->op, kernel->isa, std::to_string(kernel->load_bytes),
                          std::to_string(kernel->store_bytes), std::to_string(kernel->flops),
                          std::to_string(cells)});
  }
  return table_text(table, false);
}

using Strings = std::vector<std::string>;

struct CellRow {
  Strings name;                  // kind, level, pattern, tier
  Strings ops, pages, clusters;  // each once
  int cells = 0;
};

std::string cell_table(const bench::Plan& plan) {
  std::vector<CellRow> rows;
  for (const bench::Run& run : plan.runs) {
    if (!run.skip.empty()) continue;
    for (const Case& spec : run.cases) {
      const Strings name = {name_of(spec.kind), spec.level.name(), name_of(spec.pattern), name_of(spec.tier)};
      auto row = std::ranges::find(rows, name, &CellRow::name);
      if (row == rows.end()) row = rows.insert(rows.end(), CellRow{name, {}, {}, {}, 0});
      if (!spec.op.empty()) add_once(row->ops, spec.op.name());
      if (!spec.pages.empty()) add_once(row->pages, name_of(spec.pages));
      add_once(row->clusters, std::to_string(spec.cluster));
      ++row->cells;
    }
  }
  Table table{"Cells, by what --only selects: --only op=load,level=L1 or --only remote",
              columns({"kind", "level", "pattern", "tier", "cells", "pages", "cluster", "op"})};
  for (const CellRow& row : rows) {
    Row line(row.name.begin(), row.name.end());
    line.emplace_back(std::to_string(row.cells));
    for (const Strings* values : {&row.pages, &row.clusters, &row.ops})
      line.emplace_back(fmt::format("{}", fmt::join(*values, " ")));
    table.rows.push_back(std::move(line));
  }
  return table_text(table, false);
}

Json kernels_json(const bench::Plan& plan) {
  Json out = Json::array();
  for (const auto& [kernel, cells] : kernels_of(plan))
    out.push_back({{"kernel", kernel->name},
                   {"op", kernel->op},
                   {"isa", kernel->isa},
                   {"load_bytes", kernel->load_bytes},
                   {"store_bytes", kernel->store_bytes},
                   {"flops", kernel->flops},
                   {"cells", cells}});
  return out;
}

int open_rounds(const Case& spec, int rounds, const bench::Done& done) {
  int open = 0;
  for (int round = 0; round < rounds; ++round) open += bench::is_open(spec, round, done) ? 1 : 0;
  return open;
}

// What of the plan cannot be measured on this machine, and why: each reason once; empty where there is
// nothing.
std::string skips_text(const bench::Plan& plan) {
  std::vector<std::pair<std::string, std::size_t>> skips;
  for (const bench::Run& run : plan.runs) {
    if (run.skip.empty()) continue;
    const std::string group = name_of(run.cases.front(), model::Style::group);
    value_for(skips, group + ": " + sentence(run.skip)) += run.cases.size();
  }
  std::string text = skips.empty() ? "" : "\nSkipped on this machine:\n";
  for (const auto& [what, count] : skips)
    text += folded(fmt::format("  {} ({})", what, count_text(count, "cell")), 4);
  return text;
}

}  // namespace

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

std::string cell_list(const bench::Plan& plan, const bench::Options& options) {
  return fmt::format("Plan of preset {}\n\n", options.preset->name) + kernel_table(plan) + "\n" +
         cell_table(plan) + skips_text(plan);
}

std::string cell_list_json(const bench::Plan& plan, const bench::Options& options, const bench::Done& done,
                           double seconds_after) {
  Json cells = Json::array();
  for (const bench::Run& run : plan.runs) {
    for (const Case& spec : run.cases) {
      Json cell = Json::object();
      model::add_case(cell, spec);
      const int rounds = run.skip.empty() && !run.reserve ? run.rounds : 0;
      cell["visits"] = rounds;
      cell["open_visits"] = open_rounds(spec, rounds, done);
      cell["seconds"] = rounds * run.seconds;
      cell["reserve"] = run.reserve;
      cell["skip"] = sentence(run.skip);
      cells.push_back(std::move(cell));
    }
  }
  const double left = plan_seconds_left(plan, done) + seconds_after;
  const Json out = {
      {"schema", model::schema},
      {"preset", std::string(options.preset->name)},
      {"seconds", plan.seconds},
      {"seconds_left", options.budget_seconds > 0 ? std::min(left, options.budget_seconds) : left},
      {"kernels", kernels_json(plan)},
      {"cells", cells}};
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli
