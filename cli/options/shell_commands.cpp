#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/validators.hpp"

namespace gable::cli {

namespace {

constexpr const char* exit_statuses = R"(.SH EXIT STATUS
.TP
0
The command succeeded.
.TP
1
It failed, or there is no valid figure; the reason is on standard error.
.TP
2
Wrong usage or bad input; the message names the option, the file or the line.
.PP
A command that runs a program ends with the program's exit status.
)";

// Text as roff prints it: backslashes and hyphens escaped, no line that begins with a control character.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

// The words of a value, "FILE", in italics.
std::string option_head(const OptionWords& option) {
  if (option.positional) return "\\fI" + roff(option.names) + "\\fR";
  const std::string names = bold(option.names), whole = option.head();
  const std::string value = whole.substr(option.names.size());
  return value.empty() ? names : fmt::format("{}\\fI{}\\fR", names, roff(value));
}

std::string page_name(const CLI::App& command) {
  return path_of(command, "-");
}

std::string synopsis(const CLI::App& command) {
  std::string text = bold(path_of(command)) + " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    const OptionWords words = words_of(*option, true);
    std::string name = "\\fI" + roff(words.names) + "\\fR" + (words.repeated ? "..." : "");
    if (words.kind == ValueKind::command) name = "\\-\\- " + name;
    text += option->get_required() || words.kind == ValueKind::command ? " " + name : " [" + name + "]";
  }
  return text + (commands_of(command).empty() ? "" : " \\fICOMMAND\\fR") + "\n";
}

std::string commands_section(const CLI::App& command) {
  std::string text;
  for (const CLI::App* below : commands_of(command))
    text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page_name(*below)), roff(below->get_description()));
  return text.empty() ? text : ".SH COMMANDS\n" + text;
}

std::string options_section(const CLI::App& command, bool positional) {
  std::string text;
  for (const OptionWords& option : options_of(command)) {
    if (option.positional == positional)
      text += fmt::format(".TP\n{}\n{}\n", option_head(option), roff(option.whole()));
  }
  return text.empty() ? text : (positional ? ".SH ARGUMENTS\n" : ".SH OPTIONS\n") + text;
}

std::string notes_section(const CLI::App& command) {
  std::string text;
  for (const CommandNote& note : command_notes(command)) {
    text += (text.empty() ? ".SH NOTES\n" : ".PP\n") + roff(note.text) + "\n";
    for (const auto& [name, words] : note.list) text += fmt::format(".TP\n{}\n{}\n", bold(name), roff(words));
  }
  return text;
}

std::string see_also(const CLI::App& command) {
  std::string text;
  if (command.get_parent() != nullptr)
    text = fmt::format(".BR {} (1)\n", roff(page_name(*command.get_parent())));
  return text.empty() ? text : ".SH SEE ALSO\n" + text;
}

// The page of a command in man's roff macros: gable(1), gable-point-add(1).
std::string man_page(const CLI::App& command) {
  const std::string name = page_name(command);
  std::string title = name;
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} 1 \"\" \"gable {}\" \"Gable\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
                     roff(title), GABLE_VERSION, roff(name), roff(command.get_description()),
                     synopsis(command)) +
         commands_section(command) + options_section(command, true) + options_section(command, false) +
         notes_section(command) + exit_statuses + see_also(command);
}

void print_man_page(const CLI::App& root, const std::vector<std::string>& words) {
  std::vector<std::string> path = words;
  if (!path.empty() && path.front() == root.get_name()) path.erase(path.begin());
  const CLI::App* command = command_at(root, path);
  if (command == nullptr) {
    throw Error::usage(fmt::format("man: no command '{}'{}", fmt::join(path, " "),
                                   did_you_mean(path.front(), names_of_commands(root))));
  }
  std::fputs(man_page(*command).c_str(), stdout);
}

}  // namespace

void define_completion(CLI::App& command) {
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash: source <(gable completion bash); zsh: the same, after compinit")
      ->required()
      ->check(one_of({"bash", "zsh"}));
  command.callback([shell, &command] {
    const CLI::App& root = *command.get_parent();
    const auto machines = machine_names();
    std::fputs((*shell == "bash" ? bash_completion(root, machines) : zsh_completion(root, machines)).c_str(),
               stdout);
  });
}

void define_man(CLI::App& command) {
  const auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("NAME", *words, "the command, such as: place, or: point add; default: gable itself");
  add_note(command, {"To read a page: gable man place | man -l -", {}});
  command.callback([words, &command] { print_man_page(*command.get_parent(), *words); });
}

}  // namespace gable::cli
