#include "cli/options/mistakes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "base/nearest.hpp"
#include "cli/options/command_tree.hpp"

namespace gable::cli {

namespace {

// "gable place", without the program's name: "place: ".
std::string command_prefix(const CLI::App& command) {
  if (command.get_parent() == nullptr) return {};
  return path_of(command).substr(path_of(command).find(' ') + 1) + ": ";
}

std::vector<std::string> long_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const OptionWords& option : options_of(command)) {
    for (const std::string& name : option.list) {
      if (name.starts_with("--")) names.push_back(name);
    }
  }
  return names;
}

// "--grpah=x" is meant for "--graph".
std::string without_value(const std::string& word) {
  return word.substr(0, word.find('='));
}

// "TEXT", "one of svg, png, pdf": what the option takes.
std::string value_words(const CLI::App& command, const std::string& name) {
  for (const OptionWords& option : options_of(command)) {
    if (std::ranges::find(option.list, name) == option.list.end()) continue;
    return option.choices.empty() ? option.value : fmt::format("one of {}", fmt::join(option.choices, ", "));
  }
  return "a value";
}

// CLI11's words for a missing value, for a value that is too much and for an option given twice do not say
// what to do.
std::string in_plain_words(const CLI::App& command, const std::string& said) {
  static const std::regex lacks_value("(-[^:]*): [0-9]+ required .* missing"),
      repeated("(-[^:]*): At Most ([0-9]+) required but received ([0-9]+)"),
      is_flag("(.*) was given a disallowed flag override");
  std::smatch found;
  if (std::regex_match(said, found, lacks_value))
    return fmt::format("{} needs a value: {}", found.str(1), value_words(command, found.str(1)));
  if (std::regex_match(said, found, is_flag))
    return fmt::format("{}{} takes no value", found.str(1).size() > 1 ? "--" : "-", found.str(1));
  if (std::regex_match(said, found, repeated))
    return fmt::format("{}: given {} times; give it {}", found.str(1), found.str(3),
                       found.str(2) == "1" ? "once" : "at most " + found.str(2) + " times");
  return said;
}

}  // namespace

const CLI::App& last_command(const CLI::App& root) {
  const CLI::App* last = &root;
  while (!last->get_subcommands().empty()) last = last->get_subcommands().front();
  return *last;
}

std::string unknown_command(const CLI::App& root, int argc, char** argv) {
  const CLI::App* command = &root;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::vector<std::string> names = names_of_commands(*command);
    if (names.empty()) return {};
    if (std::ranges::find(names, argv[i]) == names.end())
      return fmt::format("{}no command '{}'{}", command_prefix(*command), argv[i],
                         did_you_mean(argv[i], names));
    command = command_at(*command, {argv[i]});
  }
  return {};
}

bool lacks_command(const CLI::App& root) {
  const CLI::App& last = last_command(root);
  return !commands_of(last).empty() && root.remaining(true).empty();
}

std::string mistake(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& command = last_command(root);
  std::vector<std::string> rest = root.remaining(true);
  rest.erase(std::ranges::find(rest, "--"), rest.end());  // from there on it is a program's
  const auto unknown =
      std::ranges::find_if(rest, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (unknown == rest.end()) return command_prefix(command) + in_plain_words(command, error.what());
  const std::string name = without_value(*unknown);
  return fmt::format("{}no option '{}'{}", command_prefix(command), name,
                     name.starts_with("--") ? did_you_mean(name, long_names(command)) : "");
}

}  // namespace gable::cli
