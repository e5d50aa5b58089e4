#include "cli/fit/figure_text.hpp"

#include <fmt/format.h>

#include "cli/text/columns.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

using model::Roof;

std::string interval_text(double value, double lo, double hi) {
  if (hi <= lo) return {};
  if (model::is_wide_interval(value, lo, hi)) return fmt::format("{} to {}", number(lo), number(hi));
  return model::interval_percent(value, lo, hi) + " %";
}

std::string interval_cell(const Roof& roof) {
  if (roof.n < 2 && roof.source.empty()) return "?";
  const std::string text = interval_text(roof.value, roof.lo, roof.hi);
  if (!text.empty()) return text;
  return roof.source.empty() ? "0.0 %" : "?";
}

std::string with_interval(double value, const std::string& interval) {
  if (interval.empty()) return number(value);
  return number(value) +
         (interval.find(" to ") == std::string::npos ? " ±" + interval : " (" + interval + ")");
}

std::string figure_text(const Roof& roof) {
  const std::string interval = interval_cell(roof);
  return with_interval(roof.value, interval == "?" && !roof.source.empty() ? "" : interval);
}

}  // namespace gable::cli
