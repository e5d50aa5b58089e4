
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
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
    if (!is_among(option.list, name)) continue;
    return option.choices.empty() ? option.value : fmt::format("one of {}", fmt::join(option.choices, ", "));
  }
  return "a value";
}

// The option whose name begins CLI11's message, with or without its dashes; null if none does.
const CLI::Option* option_named_first(const CLI::App& command, const std::string& said) {
  const std::string name = said.substr(0, said.find_first_of(": "));
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  for (const CLI::Option* option : command.get_options()) {
    if (option->check_lname(bare) || option->check_sname(bare) || option->get_name() == name) return option;
  }
  return nullptr;
}

// Covers a missing value, a value that is too much and an option given twice.
std::string wrong_number_of_values(const CLI::App& command, const CLI::Option& option) {
  const std::string name = option.get_name();
  const int most = option.get_expected_max();
  if (most == 0) return name + " takes no value";
  if (const auto given = option.count(); given > static_cast<std::size_t>(most))
    return fmt::format("{}: given {} times; give it {}", name, given,
                       most == 1 ? "once" : fmt::format("at most {} times", most));
  return fmt::format("{} needs a value: {}", name, value_words(command, name));
}

// Two options of the call that exclude each other.
std::string excluding_options(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const CLI::Option* other : option->get_excludes()) {
      if (option->count() > 0 && other->count() > 0)
        return fmt::format("{} and {} exclude each other; give one of them", option->get_name(),
                           other->get_name());
    }
  }
  return {};
}

// CLI11's words differ between versions and do not say what to do.
std::string in_plain_words(const CLI::App& command, const CLI::ParseError& error) {
  const std::string said = error.what();
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const std::string both = excluding_options(command);
    return both.empty() ? said : both;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return said;
  const CLI::Option* option = option_named_first(command, said);
  return option == nullptr ? said : wrong_number_of_values(command, *option);
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
  if (unknown == rest.end()) return command_prefix(command) + in_plain_words(command, error);
  const std::string name = without_value(*unknown);
  return fmt::format("{}no option '{}'{}", command_prefix(command), name,
                     name.starts_with("--") ? did_you_mean(name, long_names(command)) : "");
}

}  // namespace gable::cli
