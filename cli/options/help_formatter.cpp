
#include <algorithm>
#include <sstream>

#include "cli/options/command_tree.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {

namespace {

constexpr std::size_t text_column = 28;

// The column where the words of "  name   words" begin; without two columns, the number of spaces in front.
std::size_t hanging(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos || begin == 0) return 0;
  const std::size_t gap = line.find("  ", begin);
  const std::size_t words = gap == std::string::npos ? gap : line.find_first_not_of(' ', gap);
  return words == std::string::npos ? begin : words;
}

// The widest line of --help, in characters: 100, or the width of the terminal that standard output is.
std::size_t help_columns() {
  constexpr std::size_t widest = 100;
  return std::min(widest, sentence_columns());
}

// One line of a text, without a line feed at its end.
std::string wrapped_line(const std::string& line, std::size_t first, std::size_t indent) {
  const std::size_t next = indent + hanging(line);
  std::string text;
  std::size_t column = first;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', begin), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::string piece = line.substr(begin, end - begin);
    if (column + width_of(piece) > help_columns() && column > next) {
      text += "\n" + std::string(next, ' ') + line.substr(word, end - word);
      column = next + width_of(line.substr(word, end - word));
    } else {
      text += piece;
      column += width_of(piece);
    }
    begin = end;
  }
  return text;
}

// The text in lines of at most help_columns(), cut at spaces. The first line begins in column `first`, the
// others are indented by `indent`. Line feeds of the text stay; a line of it that is a row of a list (" name
// words") goes on below its words.
std::string help_text(const std::string& text, std::size_t first, std::size_t indent) {
  std::istringstream lines(text);
  std::string all;
  bool is_first = true;
  for (std::string line; std::getline(lines, line); is_first = false) {
    if (!is_first) all += "\n" + (line.empty() ? "" : std::string(indent, ' '));
    all += wrapped_line(line, is_first ? first : indent, indent);
  }
  return all;
}

// A name and what it stands for, in two columns.
std::string row(const std::string& head, const std::string& words) {
  std::string text = "  " + head;
  const std::size_t width = width_of(text);
  text +=
      width + 2 > text_column ? "\n" + std::string(text_column, ' ') : std::string(text_column - width, ' ');
  return text + help_text(words, text_column, text_column) + "\n";
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
  return row(words.head(), words.whole());
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  if (option->get_name() == "COMMAND") return "-- COMMAND...";
  return Formatter::make_option_usage(option);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  return footer.empty() ? footer : help_text(footer, 0, 0) + "\n";
}

}  // namespace gable::cli
