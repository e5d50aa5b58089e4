#pragma once

// The tree of commands as CLI11 has it, in words: for help, completion, manual pages and complaints. A
// command or an option that is added to the tree appears in all of them.

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

/// A part of the notes below a command's options: a text, and a list of names with what they stand for.
struct CommandNote {
  struct Row {
    std::string name, words;
  };
  std::string text;
  std::vector<Row> list;
};

void add_note(const CLI::App& command, CommandNote note);
const std::vector<CommandNote>& command_notes(const CLI::App& command);

/// A note with the names and summaries of `entries`.
template <typename Entries>
CommandNote list_note(std::string text, const Entries& entries) {
  CommandNote note{std::move(text), {}};
  for (const auto& entry : entries)
    note.list.push_back({std::string(entry.name), std::string(entry.summary)});
  return note;
}

/// The call of a command with the options that it was given: "gable measure 'my runs/a' --preset quick".
std::string call_text(const CLI::App& command);

/// Completion of commands, options, enumerated values, files, folders of recorded machines and the names of
/// those that come with the program: a script for `source <(gable completion bash)`; bash 4 or later, no
/// package needed.
std::string bash_completion(const CLI::App& root, const std::vector<std::string>& machines);

/// The same for `source <(gable completion zsh)` after compinit, or for a file _gable in $fpath.
std::string zsh_completion(const CLI::App& root, const std::vector<std::string>& machines);

/// The first word that should name a command and does not: "gable plcae", "gable point ad". The message with
/// the name that was probably meant; empty where there is none.
std::string unknown_command(const CLI::App& root, int argc, char** argv);

/// Whether the call stops at a command that has commands of its own: "gable", "gable kmaf".
bool lacks_command(const CLI::App& root);

/// The message for a call that could not be parsed: unknown options first, with the one that was meant.
std::string mistake(const CLI::App& root, const CLI::ParseError& error);

/// "gable point add": the last command of the call.
const CLI::App& last_command(const CLI::App& root);

// The text of --help: no line is wider than 100 columns, or than the terminal.

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_description(const CLI::App* command) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;
};

}  // namespace gable::cli
