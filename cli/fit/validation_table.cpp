#include "cli/fit/validation_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text/columns.hpp"
#include "cli/text/table_text.hpp"
#include "model/records/names.hpp"
#include "model/roofs/attainable.hpp"

namespace gable::cli {

namespace {

std::string likely_cause(const model::Shortfall& found) {
  using Place = model::Shortfall::Place;
  if (found.within_intervals)
    return "The intervals of the roof and of the program explain it: the rates changed while they were "
           "measured. Measure again, on a quieter machine.";
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
