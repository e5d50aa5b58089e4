#include "cli/bytes_option.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <map>

namespace gable::cli {

namespace {

constexpr const char* rule = "3e9, 64M or 64MiB (powers of 1024), 64MB (powers of 1000)";

CLI::Validator bytes_that(double least, double most, const char* format) {
  return CLI::Validator(
      [=](std::string& text) {
        const std::optional<double> bytes = bytes_from(text);
        if (bytes && *bytes < least) return fmt::format("{} is too little: give 1 byte or more", text);
        if (!bytes || *bytes > most) return fmt::format("{} is not an amount of bytes: give {}", text, rule);
        text = fmt::format(fmt::runtime(format), *bytes);
        return std::string();
      },
      "BYTES");
}

}  // namespace

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
  const auto factor = units.find(CLI::detail::to_lower(unit));
  if (factor == units.end() || !std::isfinite(number * factor->second)) return std::nullopt;
  return number * factor->second;
}

CLI::Validator amount_of_bytes() {
  return bytes_that(0, std::numeric_limits<double>::max(), "{:.17g}");
}

CLI::Validator size_in_bytes() {
  return bytes_that(1, 0x1p63, "{:.0f}");
}

}  // namespace gable::cli
