#include "cli/measure/cell_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "cli/measure/plan_table.hpp"
#include "cli/text/table_text.hpp"
#include "kernels/kernel.hpp"
#include "model/json/case.hpp"

namespace gable::cli {

namespace {

using model::Case;

// Kernels in the order in which the plan first needs them, and how many cells each has.
std::vector<std::pair<const kernels::Kernel*, int>> kernels_of(const bench::Plan& plan) {
  std::vector<std::pair<const kernels::Kernel*, int>> found;
  for (const bench::Run& run : plan.runs) {
    if (!run.skip.empty() || run.reserve) continue;
    for (const Case& spec : run.cases) {
      const kernels::Kernel* kernel = kernels::named(spec.kernel);
      if (kernel == nullptr) continue;
      const auto known = std::ranges::find(found, kernel, [](const auto& each) { return each.first; });
      if (known == found.end()) {
        found.emplace_back(kernel, 1);
      } else {
        ++known->second;
      }
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

}  // namespace

std::string cell_list(const bench::Plan& plan, const bench::Options& options) {
  return fmt::format("Plan of preset {}\n\n", options.preset->name) + kernel_table(plan) + "\n" +
         cell_table(plan) + skips_text(plan);
}

std::string cell_list_json(const bench::Plan& plan, const bench::Options& options, const bench::Done& done) {
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
  const Json out = {{"schema", model::schema},
                    {"preset", std::string(options.preset->name)},
                    {"seconds", plan.seconds},
                    {"kernels", kernels_json(plan)},
                    {"cells", cells}};
  return json_text(out, 1) + "\n";
}

}  // namespace gable::cli
