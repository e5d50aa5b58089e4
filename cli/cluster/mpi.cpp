#include "cli/cluster/mpi.hpp"

#include <fmt/format.h>

#include <set>

#include "base/words.hpp"
#include "cli/fit/figure_text.hpp"

namespace gable::cli {
namespace {

std::string interval_cells(const std::optional<model::Estimate>& figure) {
  if (!figure) return "–";
  return with_interval(figure->value, interval_text(figure->value, figure->lo, figure->hi));
}

}  // namespace

TitledTable mpi_table(const model::MpiRecords& records) {
  TitledTable table;
  table.title = "Among the processes of gable-mpi";
  table.lines = {
      {"measurement", "where", "message", "processes", "nodes", "µs", "GB/s or GFlop/s", "library"}};
  table.left = 2;
  for (const model::MpiFigure& figure : records.figures)
    table.lines.push_back(
        {figure.what, figure.where,
         figure.side > 0 ? fmt::format("{}³ points", figure.side) : bytes_text(figure.bytes),
         std::to_string(figure.ranks), std::to_string(figure.nodes), interval_cells(figure.microseconds),
         interval_cells(figure.rate),
         figure.status == "ok" ? figure.mpi : figure.status + ": " + figure.reason});
  return table;
}

TitledTable clock_table(const model::MpiRecords& records) {
  TitledTable table;
  table.title = "Clocks relative to that of the first process";
  table.lines = {{"node", "ahead by", "±", "drift"}};
  std::set<std::string> nodes;
  for (const model::MpiClock& clock : records.clocks) {
    if (!nodes.insert(clock.node).second) continue;
    table.lines.push_back({clock.node, fmt::format("{:.3f} µs", clock.offset_us),
                           fmt::format("{:.3f} µs", clock.error_us),
                           fmt::format("{:.3f} ppm", clock.drift_ppm)});
  }
  if (table.empty()) return table;
  table.notes = {
      "Each time is measured by the clock of one process. The order of two events on different nodes is "
      "known only if they are further apart than both errors."};
  return table;
}

}  // namespace gable::cli
