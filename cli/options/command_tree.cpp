#include "cli/options/command_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/arguments.hpp"

namespace gable::cli {

namespace {

bool is_plain_type(const std::string& part) {
  return part == "TEXT" || part == "INT" || part == "UINT" || part == "FLOAT" || part.empty();
}

bool is_word_in_capitals(const std::string& part) {
  return std::ranges::all_of(part, [](char c) { return (c >= 'A' && c <= 'Z') || c == '|'; });
}

// "TEXT:{a,b}" as CLI11 joins the type and the validators, in parts.
std::vector<std::string> type_parts(const CLI::Option& option) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : option.get_type_name()) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == ':' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string value_name(const std::string& type, const OptionWords& words) {
  if (!words.choices.empty() && type == "TEXT") return "NAME";
  if (type == "INT" || type == "UINT") return "N";
  return type == "FLOAT" ? "NUMBER" : type;
}

ValueKind kind_of(const std::string& value, const OptionWords& words) {
  if (!words.choices.empty()) return ValueKind::choice;
  if (value == file_value) return ValueKind::file;
  if (value == folder_value) return ValueKind::folder;
  if (value == machine_value) return ValueKind::machine;
  return words.positional && words.names == "COMMAND" ? ValueKind::command : ValueKind::text;
}

void read_type(const CLI::Option& option, OptionWords& words) {
  std::string type;
  for (const std::string& part : type_parts(option)) {
    if (part.starts_with('{')) {
      words.choices = split(part.substr(1, part.size() - 2), ',');
      words.details.push_back(fmt::format("one of {}", fmt::join(words.choices, ", ")));
    } else if (is_word_in_capitals(part)) {
      if (type.empty() || !is_plain_type(part)) type = part;
    } else {
      words.details.push_back(part);
    }
  }
  if (option.get_expected_max() == 0) {  // a flag
    if (!words.choices.empty()) words.kind = ValueKind::choice;
    return;
  }
  words.value = value_name(type, words);
  words.kind = kind_of(type, words);
  words.repeated = option.get_expected_max() > 1;
  if (words.repeated && option.get_delimiter() != '\0') words.value += ",...";
}

std::string names_text(const std::set<CLI::Option*>& options) {
  auto names = each_of(options, [](const CLI::Option* option) { return option->get_name(); });
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

OptionWords words_of(const CLI::Option& option, bool positional) {
  OptionWords words;
  words.positional = positional;
  if (!positional) {
    for (const std::string& name : option.get_snames()) words.list.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) words.list.push_back("--" + name);
  }
  words.names = positional ? option.get_name(true, false) : fmt::format("{}", fmt::join(words.list, ","));
  words.description = option.get_description();
  if (option.get_required() && !option.get_positional()) words.details.emplace_back("required");
  read_type(option, words);
  std::string usual = option.get_default_str();
  if (usual.starts_with('[') && usual.ends_with(']')) usual = usual.substr(1, usual.size() - 2);
  if (!usual.empty()) words.details.push_back("default: " + usual);
  if (!option.get_needs().empty()) words.details.push_back("only with " + names_text(option.get_needs()));
  if (!option.get_excludes().empty())
    words.details.push_back("not with " + names_text(option.get_excludes()));
  if (words.positional) words.value.clear();
  return words;
}

std::string OptionWords::whole() const {
  return details.empty() ? description : fmt::format("{} ({})", description, fmt::join(details, "; "));
}

std::string OptionWords::head() const {
  if (!value.empty()) return names + " " + value;
  return !positional && !choices.empty() ? names + "[=NAME]" : names;
}

std::vector<OptionWords> options_of(const CLI::App& command) {
  std::vector<OptionWords> all;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) all.push_back(words_of(*option, true));
    if (option->nonpositional()) all.push_back(words_of(*option, false));
  }
  return all;
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> all_commands(const CLI::App& root) {
  std::vector<const CLI::App*> all = {&root};
  for (const CLI::App* command : commands_of(root)) {
    for (const CLI::App* below : all_commands(*command)) all.push_back(below);
  }
  return all;
}

std::string path_of(const CLI::App& command, const std::string& separator) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name()
                           : path_of(*parent, separator) + separator + command.get_name();
}

const CLI::App* command_at(const CLI::App& root, const std::vector<std::string>& words) {
  const CLI::App* found = &root;
  for (const std::string& word : words) {
    const auto below = commands_of(*found);
    const auto next =
        std::ranges::find_if(below, [&](const CLI::App* command) { return command->get_name() == word; });
    if (next == below.end()) return nullptr;
    found = *next;
  }
  return found;
}

std::vector<std::string> names_of_commands(const CLI::App& command) {
  return each_of(commands_of(command), [](const CLI::App* below) { return below->get_name(); });
}

namespace {

std::map<const CLI::App*, std::vector<CommandNote>>& all_notes() {
  static std::map<const CLI::App*, std::vector<CommandNote>> notes;
  return notes;
}

}  // namespace

void add_note(const CLI::App& command, CommandNote note) {
  all_notes()[&command].push_back(std::move(note));
}

const std::vector<CommandNote>& command_notes(const CLI::App& command) {
  return all_notes()[&command];
}

std::string call_text(const CLI::App& command) {
  std::string text = command.get_name();
  for (const CLI::App* parent = command.get_parent(); parent != nullptr; parent = parent->get_parent())
    text = parent->get_name() + " " + text;
  for (const CLI::Option* option : command.get_options()) {
    const bool is_flag = option->get_expected_max() == 0;
    if (is_flag && option->count() > 0) text += " " + option->get_name();
    if (is_flag) continue;
    for (const std::string& value : option->results())
      text += option->get_positional() ? " " + shell_quoted(value)
                                       : fmt::format(" {} {}", option->get_name(), shell_quoted(value));
  }
  return text;
}

}  // namespace gable::cli
