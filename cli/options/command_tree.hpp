#pragma once

// The tree of commands as CLI11 has it, in words: for help, completion and manual pages. A command or an
// option that is added to the tree appears in all of them.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gable::cli {

/// What an option's value names: what a shell completes it with.
enum class ValueKind { none, text, choice, file, folder, machine, command };

/// Type names (CLI::Option::type_name) that say what a value is; any other is text or a number.
inline constexpr const char* file_value = "FILE";
inline constexpr const char* folder_value = "DIR";       ///< a folder, perhaps of a recorded machine
inline constexpr const char* machine_value = "MACHINE";  ///< a recorded machine's folder or a published name

struct OptionWords {
  std::string names;                 ///< "-o,--output", or "DIR" of an argument by position
  std::string value;                 ///< "FILE", "N,..."; empty of a flag and of an argument by position
  std::string description;           ///< without the details
  std::vector<std::string> details;  ///< "required", "1 to 64", "one of dp, sp", "default: 10"
  std::vector<std::string> choices;  ///< the values that it may have; empty: any
  ValueKind kind = ValueKind::none;
  bool positional = false;
  bool repeated = false;          ///< takes several values, or may be given several times
  std::vector<std::string> list;  ///< the names one by one: "-o", "--output"

  /// The description with the details in brackets.
  std::string whole() const;
  /// "--output FILE"
  std::string head() const;
};

/// An option that is an argument by position too is described as one or the other.
OptionWords words_of(const CLI::Option& option, bool positional);

/// Options and arguments in the order in which they were declared, --help first.
std::vector<OptionWords> options_of(const CLI::App& command);

/// The subcommands in the order of their declaration.
std::vector<const CLI::App*> commands_of(const CLI::App& command);

/// The command and all below it, each before its own subcommands.
std::vector<const CLI::App*> all_commands(const CLI::App& root);

/// "gable point add"; the names are joined by `separator`.
std::string path_of(const CLI::App& command, const std::string& separator = " ");

/// The command that the words name ("point", "add"), or nullptr.
const CLI::App* command_at(const CLI::App& root, const std::vector<std::string>& words);

/// The names of its subcommands.
std::vector<std::string> names_of_commands(const CLI::App& command);

}  // namespace gable::cli
