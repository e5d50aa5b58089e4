#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/command_tree.hpp"
#include "cli/options/completion.hpp"
#include "cli/text/shell_words.hpp"

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
  switch (option.kind) {
    case ValueKind::none:
      return "";
    case ValueKind::text:
      return "text";
    case ValueKind::choice:
      return fmt::format("{} {}", option.value.empty() && !option.positional ? "flag" : "choice",
                         fmt::join(option.choices, " "));
    case ValueKind::file:
      return "file";
    case ValueKind::folder:
      return "folder";
    case ValueKind::machine:
      return "machine";
    case ValueKind::command:
      return "command";
  }
  return "";
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

}  // namespace

std::string bash_completion(const CLI::App& root, const std::vector<std::string>& machines) {
  std::string text = bash_head;
  for (const CLI::App* command : all_commands(root)) text += lines_of_command(*command);
  return text + bash_tail +
         fmt::format("_gable_machines={}\n", in_quotes(fmt::format("{}", fmt::join(machines, " "))));
}

}  // namespace gable::cli
