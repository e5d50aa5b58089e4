
#include <algorithm>

#include "cli/options/command_tree.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {

namespace {

constexpr std::size_t text_column = 28;

// The widest line of --help, in characters: 100, or the width of the terminal that standard output is.
std::size_t help_columns() {
  constexpr std::size_t widest = 100;
  return std::min(widest, sentence_columns());
}

// The text in lines of at most help_columns(), cut at spaces. The first line begins in column `first`, the
// others are indented by `indent`.
std::string help_text(const std::string& words, std::size_t first, std::size_t indent) {
  std::string text;
  std::size_t column = first;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t word = std::min(words.find_first_not_of(' ', begin), words.size());
    const std::size_t end = std::min(words.find(' ', word), words.size());
    const std::string piece = words.substr(begin, end - begin);
    if (column + width_of(piece) > help_columns() && column > indent) {
      text += "\n" + std::string(indent, ' ') + words.substr(word, end - word);
      column = indent + width_of(words.substr(word, end - word));
    } else {
      text += piece;
      column += width_of(piece);
    }
    begin = end;
  }
  return text;
}

// A name and what it stands for, in two columns.
std::string row(const std::string& head, const std::string& words, std::size_t second_column) {
  std::string text = "  " + head;
  const std::size_t width = width_of(text);
  text += width + 2 > second_column ? "\n" + std::string(second_column, ' ')
                                    : std::string(second_column - width, ' ');
  return text + help_text(words, second_column, second_column) + "\n";
}

}  // namespace

HelpFormatter::HelpFormatter() {
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return help_text(command->get_description(), 0, 0) + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  const OptionWords words = words_of(*option, is_positional);
  return row(words.head(), words.whole(), text_column);
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  if (option->get_name() == "COMMAND") return "-- COMMAND...";
  return Formatter::make_option_usage(option);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_name(), command->get_description(), text_column);
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  std::string text;
  for (const auto& [words, list] : command_notes(*command)) {
    text += (text.empty() ? "" : "\n") + help_text(words, 0, 0) + "\n";
    std::size_t widest = 0;
    for (const auto& [name, unused] : list) widest = std::max(widest, width_of(name));
    for (const auto& [name, meaning] : list) text += row(name, meaning, 2 + widest + 2);
  }
  return text;
}

}  // namespace gable::cli
