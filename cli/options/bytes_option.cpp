#include "cli/options/bytes_option.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "cli/text/bytes.hpp"

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

CLI::Validator amount_of_bytes() {
  return bytes_that(0, std::numeric_limits<double>::max(), "{:.17g}");
}

CLI::Validator size_in_bytes() {
  return bytes_that(1, 0x1p63, "{:.0f}");
}

}  // namespace gable::cli
