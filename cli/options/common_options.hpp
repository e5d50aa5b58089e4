#pragma once

// Options and arguments of kinds that many commands have: files and folders, which a shell completes as such,
// and lists. `value` is a std::string, or a std::vector for several values.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options/command_tree.hpp"

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

}  // namespace gable::cli
