#include "cli/text/bytes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "base/words.hpp"

namespace gable::cli {

std::optional<double> bytes_from(const std::string& text) {
  static const std::map<std::string, double> units = {
      {"", 1},       {"b", 1},        {"k", 0x1p10},   {"kib", 0x1p10}, {"kb", 1e3},
      {"m", 0x1p20}, {"mib", 0x1p20}, {"mb", 1e6},     {"g", 0x1p30},   {"gib", 0x1p30},
      {"gb", 1e9},   {"t", 0x1p40},   {"tib", 0x1p40}, {"tb", 1e12}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || std::signbit(number)) return std::nullopt;
  std::string unit(read.ptr, end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? 0 : unit.find_first_not_of(' '));
  const auto factor = units.find(lower_case(std::move(unit)));
  if (factor == units.end() || !std::isfinite(number * factor->second)) return std::nullopt;
  return number * factor->second;
}

std::string bytes_cell(double bytes) {
  constexpr double most = 1e19;  // that bytes_text takes
  return bytes < 0.5 ? "-" : bytes_text(static_cast<std::uint64_t>(std::min(std::round(bytes), most)));
}

}  // namespace gable::cli
