#pragma once

// What a number on the command line may be, and what is said of one that is not: CLI11's own messages print
// the largest double in full.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/arguments.hpp"

namespace gable::cli {

/// Numbers for which `fits`; `range` says which those are ("above 0"), `name` stands for it in --help.
template <typename Fits>
CLI::Validator number_that(const std::string& name, const std::string& range, Fits fits) {
  return CLI::Validator(
      [=](const std::string& text) {
        double value = 0;
        const bool good = CLI::detail::lexical_cast(text, value) && std::isfinite(value) && fits(value);
        return good ? std::string() : fmt::format("{} is not a number {}", text, range);
      },
      name);
}

inline CLI::Validator positive() {
  return number_that("above 0", "above 0", [](double value) { return value > 0; });
}

inline CLI::Validator not_negative() {
  return number_that("0 or more", "of 0 or more", [](double value) { return value >= 0; });
}

inline CLI::Validator number_between(double least, double most) {
  return number_that(fmt::format("{:g} to {:g}", least, most), fmt::format("from {:g} to {:g}", least, most),
                     [=](double value) { return value >= least && value <= most; });
}

/// Whole numbers. If `most` is only a guard against absurd values, --help does not name it.
inline CLI::Validator integer(std::uint64_t least, std::uint64_t most) {
  constexpr std::uint64_t guard = 1'000'000;
  return CLI::Validator(
      [=](const std::string& text) {
        std::uint64_t value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return std::string();
        return fmt::format("{} is not a whole number from {} to {}", text, least, most);
      },
      most >= guard ? fmt::format("{} or more", least) : fmt::format("{} to {}", least, most));
}

/// A percentage: "5%" is 5.
inline CLI::Validator percentage() {
  return CLI::Validator(
      [](std::string& text) {
        while (!text.empty() && (text.back() == '%' || text.back() == ' ')) text.pop_back();
        return not_negative()(text);
      },
      not_negative().get_description());
}

/// What bytes_from() reads, from `least` to `most`, written in this format for the option's value.
inline CLI::Validator bytes_that(double least, double most, const char* format) {
  constexpr const char* rule = "3e9, 64M or 64MiB (powers of 1024), 64MB (powers of 1000)";
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

/// A transform for an amount, which may have a fraction.
inline CLI::Validator amount_of_bytes() {
  return bytes_that(0, std::numeric_limits<double>::max(), "{:.17g}");
}

/// A transform for a size, rounded to a whole number of bytes; from 1 to 2^63.
inline CLI::Validator size_in_bytes() {
  return bytes_that(1, 0x1p63, "{:.0f}");
}

/// One of these words. --help and completion show them; a wrong one gets the one that was probably meant.
inline CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [=](const std::string& text) {
        if (is_among(words, text)) return std::string();
        return fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

/// Words that --help and completion show; whether another one is right is for the command to say.
inline CLI::Validator suggested(const std::vector<std::string>& words) {
  return CLI::Validator([](const std::string&) { return std::string(); },
                        fmt::format("{{{}}}", fmt::join(words, ",")));
}

}  // namespace gable::cli
