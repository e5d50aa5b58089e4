#pragma once

// What a number on the command line may be, and what is said of one that is not: CLI11's own messages print
// the largest double in full.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <string>

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
  return number_that("POSITIVE", "above 0", [](double value) { return value > 0; });
}

inline CLI::Validator not_negative() {
  return number_that("NONNEGATIVE", "of 0 or more", [](double value) { return value >= 0; });
}

inline CLI::Validator between(double least, double most) {
  return number_that(fmt::format("{:g} to {:g}", least, most), fmt::format("from {:g} to {:g}", least, most),
                     [=](double value) { return value >= least && value <= most; });
}

}  // namespace gable::cli
