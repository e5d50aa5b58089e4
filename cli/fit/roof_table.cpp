#include "cli/fit/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"
#include "model/records/question.hpp"
#include "model/roofs/attainable.hpp"

namespace gable::cli {

namespace {

using model::Case;
using model::Roof;
using model::Status;

// The best page size and ISA of a question, and the results of the others.
struct RoofRow {
  const Roof* best;
  std::vector<const Roof*> others;
};

// What a row asks: numbers of threads have their own rows.
std::string key_of_row(const Case& spec) {
  Case question = question_of(spec);
  question.threads = spec.threads;
  question.smt = spec.smt;
  return model::key(question);
}

std::vector<RoofRow> rows_of(const std::vector<Roof>& roofs, int cluster, model::Kind kind) {
  std::map<std::string, std::size_t> index;
  std::vector<RoofRow> rows;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || roof.spec.cluster != cluster || roof.spec.kind != kind) continue;
    const auto [found, is_new] = index.try_emplace(key_of_row(roof.spec), rows.size());
    if (is_new) {
      rows.push_back({&roof, {}});
      continue;
    }
    RoofRow& row = rows[found->second];
    const bool better = is_better(roof, *row.best);
    row.others.push_back(better ? row.best : &roof);
    if (better) row.best = &roof;
  }
  return rows;
}

// Caches from L1 outwards, then memory by node; patterns in the usual order.
auto order(const RoofRow& row) {
  const Case& spec = row.best->spec;
  return std::tuple(spec.level, spec.pattern, static_cast<unsigned>(spec.node));
}

// The result of each other page size in its best ISA, and of each other ISA in the best page size.
std::string others(const RoofRow& row) {
  const Case& best = row.best->spec;
  std::map<std::string, const Roof*> by_name;
  for (const Roof* roof : row.others) {
    const Case& spec = roof->spec;
    const bool other_pages = spec.pages != best.pages;
    if (other_pages && spec.kernel != best.kernel) continue;
    const Roof*& shown = by_name[other_pages ? model::pages_text(spec.pages) : model::variant_text(spec)];
    if (shown == nullptr || is_better(*roof, *shown)) shown = roof;
  }
  std::vector<std::string> cells;
  for (const auto& [name, roof] : by_name) cells.push_back(fmt::format("{}: {}", name, number(roof->value)));
  return fmt::format("{}", fmt::join(cells, ", "));
}

// Bandwidths, idle latencies, random loads, branches and operations.
std::string memory_section(const std::vector<Roof>& roofs, int cluster, model::Kind kind) {
  std::vector<RoofRow> rows = rows_of(roofs, cluster, kind);
  if (rows.empty()) return {};
  sort_by(rows, order);
  Table table{"", columns({name_of(kind), "pattern", "op"},
                          {std::string(unit_of(kind)), "±", "n", "threads", "isa", "pages"}, {"others"})};
  for (const RoofRow& row : rows) {
    const Case& spec = row.best->spec;
    table.rows.push_back({name_of(spec, model::Style::place), name_of(spec.pattern),
                          model::operation_text(spec), number(row.best->value), interval_cell(*row.best),
                          std::to_string(row.best->n),
                          fmt::format("{}{}", spec.threads, spec.smt ? " smt" : ""),
                          model::variant_text(spec), model::pages_text(spec.pages), others(row)});
  }
  return table_text(table);
}

std::string peak_section(const std::vector<Roof>& roofs, int cluster) {
  Table table{"", columns({"peak", "precision"}, {"GFlop/s", "±", "n", "threads"}, {"kernel"})};
  for (const RoofRow& row : rows_of(roofs, cluster, model::Kind::flops)) {
    const Case& spec = row.best->spec;
    table.rows.push_back({spec.op.name(), name_of(spec.precision), number(row.best->value),
                          interval_cell(*row.best), std::to_string(row.best->n),
                          fmt::format("{}{}", spec.threads, spec.smt ? " smt" : ""), spec.kernel});
  }
  return table_text(table);
}

std::string loaded_section(const std::vector<Roof>& roofs, int cluster) {
  Table table{"", columns({"loaded latency", "pattern"}, {"asked", "GB/s", "ns", "±", "n"}, {"pages"})};
  for (const RoofRow& row : rows_of(roofs, cluster, model::Kind::loaded_latency)) {
    const Case& spec = row.best->spec;
    table.rows.push_back({name_of(spec, model::Style::place), name_of(spec.pattern),
                          fmt::format("{}%", spec.load_percent), number(row.best->load_gb_per_s),
                          number(row.best->value), interval_cell(*row.best), std::to_string(row.best->n),
                          model::pages_text(spec.pages)});
  }
  return table_text(table);
}

std::string levels_section(const std::vector<model::CacheLevel>& levels) {
  std::string text;
  for (const model::CacheLevel& level : levels) {
    const std::string size = bytes_text(level.confirmed ? level.claimed_bytes : level.measured_bytes);
    const std::string what = level.confirmed ? size + ", confirmed by the ladder" : sentence(level.remark);
    text += folded(fmt::format("  cluster {} {}: {}", level.cluster, level.level.name(),
                               level.claimed_bytes == 0 ? size + ", " + sentence(level.remark) : what),
                   6);
  }
  return text.empty() ? "" : "Cache levels\n" + text + "\n";
}

// Remarks that differ only in their numbers once, with the first of their figures.
std::string remarks_section(const std::vector<Roof>& roofs) {
  std::map<model::Note, std::pair<model::AlikeNotes, std::string>> remarks;
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok) continue;
    for (const model::Note& remark : roof.remarks) {
      auto& [alike, first] = remarks[model::AlikeNotes::kind_of(remark)];
      alike.add(remark);
      if (alike.count() == 1) first = name_of(roof.spec, model::Style::figure);
    }
  }
  std::string text;
  for (const auto& [kind, remark] : remarks) {
    const auto& [alike, first] = remark;
    const std::string more = alike.count() > 1 ? fmt::format(" and {} more", alike.count() - 1) : "";
    text += folded(fmt::format("  {}{}: {}", first, more, alike.text()), 6);
  }
  return text.empty() ? "" : "Remarks\n" + text + "\n";
}

std::string likely_cause(const model::Shortfall& found) {
  using Place = model::Shortfall::Place;
  if (found.within_intervals)
    return "The intervals of the roof and of the program explain it: the rates changed while they were "
           "measured. Measure again, on a quieter machine.";
  if (found.reached_percent > 100 && found.prefetches && found.place == Place::below_ridge)
    return "This program prefetches, and the roof's loads do not: they wait for too few lines at once. A "
           "program with prefetches may be faster than this roof.";
  if (found.reached_percent > 100) {
    const char* const low = found.place == Place::below_ridge   ? "so this roof is too low"
                            : found.place == Place::above_ridge ? "so the FMA peak is too low"
                                                                : "so this roof or the FMA peak is too low";
    return fmt::format("The intervals do not explain it: another kernel than the roof's is faster, {}.", low);
  }
  if (!found.partly_overlaps)
    return "Less than if the core loaded and computed one after another, and the intervals do not explain "
           "it: the cause is not known.";
  if (found.place == Place::near_ridge)
    return "Perhaps loads and FMAs, near the ridge, do not overlap completely.";
  if (found.place == Place::below_ridge)
    return "Perhaps fewer loads are in flight while the core also computes.";
  return "Perhaps the FMAs wait for their data, or the clock is lower while the core also loads.";
}

// Lines for the validations that are not good.
std::string shortfalls(const model::Roofs& roofs) {
  std::string text;
  for (const model::Validation& it : roofs.validation) {
    const auto found = model::shortfall(it, roofs.roofs);
    if (!found) continue;
    text += fmt::format("  cluster {}, {}, {}: at {:.3g} flop/byte programs reach {:.0f} % of the roof.",
                        it.roof.cluster, name_of(it.roof, model::Style::place), name_of(it.roof.pattern),
                        found->flop_per_byte, found->reached_percent);
    const auto off = model::rms_percent_off_ridge(it);
    if (off) text += fmt::format(" RMS without the points near the ridge: {:.1f} %.", *off);
    text += fmt::format("\n    {}\n", likely_cause(*found));
  }
  if (text.empty()) return text;
  return fmt::format(
      "RMS above {:.0f} %:\n{}  The headroom of points is judged by what these programs reach.\n",
      model::good_rms_percent, folded_lines(text, 4));
}

}  // namespace

std::string roof_table(const model::Roofs& roofs) {
  std::string text;
  for (const int cluster : clusters_in(roofs.roofs)) {
    const std::string sections =
        memory_section(roofs.roofs, cluster, model::Kind::bandwidth) + peak_section(roofs.roofs, cluster) +
        memory_section(roofs.roofs, cluster, model::Kind::latency) + loaded_section(roofs.roofs, cluster) +
        memory_section(roofs.roofs, cluster, model::Kind::random) +
        memory_section(roofs.roofs, cluster, model::Kind::window) +
        memory_section(roofs.roofs, cluster, model::Kind::branch) +
        memory_section(roofs.roofs, cluster, model::Kind::operation);
    if (!sections.empty()) text += fmt::format("Cluster {}\n", cluster) + sections;
  }
  return text + remarks_section(roofs.roofs) + levels_section(roofs.levels);
}

std::string validation_table(const model::Roofs& roofs) {
  Table table{
      "Validation: programs of every arithmetic intensity against the roofs",
      columns({"cluster", "roof", "pattern"}, {"GB/s", "points", "RMS %", "largest %", "RMS / sqrt n"})};
  for (const model::Validation& it : roofs.validation) {
    if (!it.rms_percent) continue;
    const model::Case& roof = it.roof;
    const auto points = std::ranges::count_if(it.points, [](const model::ValidationPoint& point) {
      return point.measured.status == model::Status::ok;
    });
    table.rows.push_back({std::to_string(roof.cluster), name_of(roof, model::Style::place),
                          name_of(roof.pattern), number(*it.gb_per_s), std::to_string(points),
                          fmt::format("{:.1f}", *it.rms_percent), fmt::format("{:.1f}", *it.max_percent),
                          fmt::format("{:.1f}", *it.paper_percent)});
  }
  if (table.empty()) return "";
  return table_text(table, false) + shortfalls(roofs) + "\n";
}

}  // namespace gable::cli
