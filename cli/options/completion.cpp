
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/options/command_tree.hpp"
#include "cli/text/arguments.hpp"

namespace gable::cli {

namespace {

// The function looks up "COMMAND:options", "COMMAND:commands", "COMMAND:--option" (the kind of its value and
// the values), "COMMAND:1" (the first argument by position) and "COMMAND:*" (further ones).
constexpr const char* bash_head =
    R"sh(# bash completion of gable, made by `gable completion bash`; in ~/.bashrc:
#   source <(gable completion bash)

_gable_table() {
  case $1 in
)sh";

constexpr const char* bash_tail = R"sh(    *) _gable_found= ;;
  esac
}

# Folders of recorded machines and those that hold some; all folders where there are none.
_gable_folders() {
  local folder recorded=() all=()
  for folder in "$1"*/; do
    [ -d "$folder" ] || continue
    all+=("${folder%/}")
    if [ -e "$folder/machine.json" ] || [ -e "$folder/roofs.json" ] || compgen -G "${folder}*/machine.json" >/dev/null; then
      recorded+=("${folder%/}")
    fi
  done
  [ ${#recorded[@]} -gt 0 ] && COMPREPLY+=("${recorded[@]}") || COMPREPLY+=("${all[@]}")
}

# _gable_values KIND VALUES CURRENT
_gable_values() {
  local list=
  case $1 in
    choice | flag)
      case $3 in *,*) list=${3%,*}, ;; esac
      mapfile -t COMPREPLY < <(compgen -P "$list" -W "$2" -- "${3##*,}")
      ;;
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$3")
      ;;
    folder | machine)
      compopt -o filenames 2>/dev/null
      [ "$1" = folder ] || mapfile -t COMPREPLY < <(compgen -W "$_gable_machines" -- "$3")
      _gable_folders "$3"
      ;;
    command) COMPREPLY=(--) ;;
  esac
}

_gable() {
  local command=gable option= place=1 i word _gable_found
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [ "$word" = -- ]; then
      compopt -o filenames 2>/dev/null
      [ $((i + 1)) = "$COMP_CWORD" ] && word=-c || word=-f
      mapfile -t COMPREPLY < <(compgen $word -- "$current")
      return
    elif [ "$word" = = ]; then
      continue
    elif [ -n "$option" ]; then
      option=
    elif [[ $word == -* ]]; then
      _gable_table "$command:$word"
      case $_gable_found in
        '') ;;
        flag*) [ "${COMP_WORDS[i+1]}" = = ] && option=$word ;;
        *) option=$word ;;
      esac
    else
      _gable_table "$command:commands"
      if [[ " $_gable_found " == *" $word "* ]]; then command+=" $word"; else place=$((place + 1)); fi
    fi
  done
  [ "$current" = = ] && current=
  if [ -n "$option" ]; then
    _gable_table "$command:$option"
    _gable_values "${_gable_found%% *}" "${_gable_found#* }" "$current"
  elif [[ $current == --*=* ]]; then
    _gable_table "$command:${current%%=*}"
    _gable_values "${_gable_found%% *}" "${_gable_found#* }" "${current#*=}"
    COMPREPLY=("${COMPREPLY[@]/#/${current%%=*}=}")
  elif [[ $current == -* ]]; then
    _gable_table "$command:options"
    mapfile -t COMPREPLY < <(compgen -W "$_gable_found" -- "$current")
  else
    _gable_table "$command:commands"
    [ -n "$_gable_found" ] && _gable_found="choice $_gable_found" || _gable_table "$command:$place"
    [ -n "$_gable_found" ] || _gable_table "$command:*"
    _gable_values "${_gable_found%% *}" "${_gable_found#* }" "$current"
  fi
}

complete -F _gable gable
)sh";

std::string kind_word(const OptionWords& option) {
  constexpr const char* words[] = {"", "text", "", "file", "folder", "machine", "command"};
  if (option.kind != ValueKind::choice) return words[static_cast<std::size_t>(option.kind)];
  return fmt::format("{} {}", option.value.empty() && !option.positional ? "flag" : "choice",
                     fmt::join(option.choices, " "));
}

std::string table_line(const std::string& key, const std::string& words) {
  return words.empty() ? "" : fmt::format("    {}) _gable_found={} ;;\n", in_quotes(key), in_quotes(words));
}

std::string lines_of_command(const CLI::App& command) {
  const std::string path = path_of(command);
  std::vector<std::string> names;
  std::string values;
  int place = 0;
  for (const OptionWords& option : options_of(command)) {
    if (option.positional) {
      values += table_line(fmt::format("{}:{}", path, ++place), kind_word(option));
      if (option.repeated) values += table_line(path + ":*", kind_word(option));
    }
    for (const std::string& name : option.list) {
      names.push_back(name);
      values += table_line(path + ":" + name, kind_word(option));
    }
  }
  return table_line(path + ":commands", fmt::format("{}", fmt::join(names_of_commands(command), " "))) +
         table_line(path + ":options", fmt::format("{}", fmt::join(names, " "))) + values;
}

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

std::string bash_completion(const CLI::App& root, const std::vector<std::string>& machines) {
  std::string text = bash_head;
  for (const CLI::App* command : all_commands(root)) text += lines_of_command(*command);
  return text + bash_tail +
         fmt::format("_gable_machines={}\n", in_quotes(fmt::format("{}", fmt::join(machines, " "))));
}

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
