#pragma once

// Options and arguments that many commands have: files and folders, which a shell completes as such, lists,
// sizes of pages, and how charts are drawn. `value` is a std::string, or a std::vector for several values.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/pages.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/validators.hpp"
#include "cli/output_file.hpp"
#include "model/domain/pages.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

/// A file.
template <typename Value>
CLI::Option* add_file(CLI::App& command, const std::string& names, Value& value, const std::string& what) {
  return command.add_option(names, value, what)->type_name(file_value);
}

/// A folder, perhaps of a recorded machine.
template <typename Value>
CLI::Option* add_folder(CLI::App& command, const std::string& names, Value& value, const std::string& what) {
  return command.add_option(names, value, what)->type_name(folder_value);
}

/// The folder of a recorded machine, or the name of a published one.
template <typename Value>
CLI::Option* add_machine(CLI::App& command, const std::string& names, Value& value, const std::string& what) {
  return command.add_option(names, value, what)->type_name(machine_value);
}

/// Values that are separated by commas.
template <typename Value>
CLI::Option* add_list(CLI::App& command, const std::string& names, std::vector<Value>& value,
                      const std::string& what) {
  return command.add_option(names, value, what)->delimiter(',')->allow_extra_args(false);
}

/// --pages: sizes of pages that this system can have.
inline CLI::Option* add_pages(CLI::App& command, std::vector<model::Pages>& pages, const std::string& what) {
  const auto take = [&pages](const std::vector<std::string>& names) {
    pages.clear();
    for (const std::string& name : names) pages.push_back(*model::pages_named(name));
  };
  return command.add_option_function<std::vector<std::string>>("--pages", take, what)
      ->check(one_of(page_names()));
}

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
