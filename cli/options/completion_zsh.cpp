#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/options/command_tree.hpp"
#include "cli/options/completion.hpp"
#include "cli/text/shell_words.hpp"

namespace gable::cli {

namespace {

constexpr const char* zsh_head = R"sh(#compdef gable
# zsh completion of gable, made by `gable completion zsh`; in ~/.zshrc, after compinit:
#   source <(gable completion zsh)

_gable_machines() {
  _alternative 'folders:folder of a recorded machine:_files -/' "machines:machine that comes with Gable:($_gable_machines)"
}

)sh";

constexpr const char* zsh_tail = R"sh(
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _gable "$@"; else compdef _gable gable; fi
)sh";

// The first clause, with what _arguments would read as its own syntax escaped.
std::string brief(const std::string& description) {
  std::size_t end = description.size();
  for (const char* stop : {"; ", ": ", " (", ", such as"}) end = std::min(end, description.find(stop));
  std::string text;
  for (const char c : description.substr(0, end))
    text += c == ':' || c == '[' || c == ']' ? std::string("\\") + c : std::string(1, c);
  return text;
}

std::string function_of(const CLI::App& command) {
  return "_" + path_of(command, "_");
}

// What completes the value: a function, or a list of words.
std::string action_of(const OptionWords& option) {
  const std::string choices = fmt::format("{}", fmt::join(option.choices, " "));
  switch (option.kind) {
    case ValueKind::choice:
      return option.repeated && !option.positional ? "_sequence compadd - " + choices : "(" + choices + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::machine:
      return "_gable_machines";
    default:
      return " ";
  }
}

// A specification of _arguments for each name of the option, or for the argument by position.
std::vector<std::string> specifications(const OptionWords& option, int place) {
  if (option.kind == ValueKind::command) return {"*:::command:_normal"};
  const std::string name = option.value.empty() ? option.names : option.value;
  if (option.positional)
    return {fmt::format("{}:{}:{}", option.repeated ? "*" : std::to_string(place), name, action_of(option))};
  std::vector<std::string> all;
  for (const std::string& each : option.list) {
    std::string text =
        option.repeated ? "*" + each : fmt::format("({}){}", fmt::join(option.list, " "), each);
    if (option.kind == ValueKind::choice && option.value.empty()) text += "=-";  // a flag: --smt=both
    text += "[" + brief(option.description) + "]";
    if (option.kind != ValueKind::none)
      text += fmt::format("{}:{}:{}", option.value.empty() ? ":" : "", name, action_of(option));
    all.push_back(text);
  }
  return all;
}

std::string arguments_of(const CLI::App& command) {
  std::string text;
  int place = 0;
  for (const OptionWords& option : options_of(command)) {
    place += option.positional ? 1 : 0;
    for (const std::string& each : specifications(option, place)) text += " \\\n    " + in_quotes(each);
  }
  return text;
}

std::string function_with_commands(const CLI::App& command) {
  std::string names, cases;
  for (const CLI::App* below : commands_of(command)) {
    const std::string& name = below->get_name();
    names += "\n    " + in_quotes(name + ":" + brief(below->get_description()));
    cases += fmt::format("    {}) {} ;;\n", name, function_of(*below));
  }
  return fmt::format(
      "{0}() {{\n  local state line\n  local -a commands=({1}\n  )\n  _arguments -C{2} \\\n    '1: "
      ":->command' \\\n"
      "    '*:: :->arguments'\n  case $state in\n  command) _describe command commands ;;\n  arguments)\n"
      "    case $line[1] in\n{3}    esac\n    ;;\n  esac\n}}\n\n",
      function_of(command), names, arguments_of(command), cases);
}

}  // namespace

std::string zsh_completion(const CLI::App& root, const std::vector<std::string>& machines) {
  std::string text = zsh_head;
  for (const CLI::App* command : all_commands(root)) {
    text += commands_of(*command).empty() ? fmt::format("{}() {{\n  _arguments{}\n}}\n\n",
                                                        function_of(*command), arguments_of(*command))
                                          : function_with_commands(*command);
  }
  return text + fmt::format("_gable_machines={}\n", in_quotes(fmt::format("{}", fmt::join(machines, " ")))) +
         zsh_tail;
}

}  // namespace gable::cli
