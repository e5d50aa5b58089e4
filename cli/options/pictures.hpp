#pragma once

// --format, --size and --font, the same for every command that draws.

#include <CLI/CLI.hpp>
#include <string>

#include "cli/draw.hpp"
#include "cli/options/validators.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

/// --format and --font. `pictures` must live as long as the command, here and below.
inline void add_format_options(CLI::App& command, PictureArguments& pictures) {
  command
      .add_option("--format", pictures.formats,
                  "formats of the charts, separated by commas (default: svg,png)")
      ->delimiter(',')
      ->check(one_of(gnuplot::picture_formats()));
  // gnuplot takes what stands behind a comma as the size.
  command.add_option("--font", pictures.font, "font of the charts (default: sans-serif)")
      ->check([](const std::string& name) {
        return name.empty() || name.find(',') != std::string::npos ? "a font's name has no comma" : "";
      });
}

/// The same, and --size.
inline void add_picture_options(CLI::App& command, PictureArguments& pictures) {
  add_format_options(command, pictures);
  command
      .add_option_function<std::string>(
          "--size", [&pictures](const std::string& size) { pictures.column = size == "column"; },
          "column, for a paper: 3.4 inches wide with 7-point letters, also as PDF; the command prints the "
          "caption")
      ->check(one_of({"screen", "column"}))
      ->default_str("screen");
}

}  // namespace gable::cli
