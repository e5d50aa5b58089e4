#include "cli/fit/figure_text.hpp"

#include <fmt/format.h>

#include "cli/text/columns.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

using model::Roof;

std::string interval_text(double value, double lo, double hi) {
  if (hi <= lo) return {};
  if (model::is_wide_interval(value, lo, hi)) return fmt::format("{} to {}", number(lo), number(hi));
  return fmt::format("{:.1f} %", model::interval_percent(value, lo, hi).value_or(0));
}

std::string interval_cell(const Roof& roof) {
  if (roof.n < 2 && roof.source.empty()) return "?";
  const std::string text = interval_text(roof.value, roof.lo, roof.hi);
  if (!text.empty()) return text;
  return roof.source.empty() ? "0.0 %" : "?";
}

Cell with_interval(double value, double lo, double hi, const std::string& unit) {
  const std::string text = number(value) + unit, interval = interval_text(value, lo, hi);
  if (interval.empty()) return text;
  return {text, model::is_wide_interval(value, lo, hi) ? "(" + interval + ")" : "±" + interval};
}

Cell figure_cell(const Roof& roof) {
  if (roof.source.empty() && (roof.n < 2 || roof.hi <= roof.lo))
    return {number(roof.value), "±" + interval_cell(roof)};
  return with_interval(roof.value, roof.lo, roof.hi);
}

}  // namespace gable::cli
