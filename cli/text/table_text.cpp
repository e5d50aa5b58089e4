#include "cli/text/table_text.hpp"

#include <algorithm>
#include <numeric>

#include "cli/text/columns.hpp"

namespace gable::cli {
namespace {

std::string trimmed(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

// Appends the text to the line, folded to `room` columns. If that is too few, the text follows below the
// line. Short texts such as "not judged [1]" always stay in the line.
std::string with_text(const std::string& line, const std::string& text, std::size_t room) {
  constexpr std::size_t least_room = 16, indent = 6;
  if (width_of(text) <= std::max(room, least_room)) return trimmed(line + text) + "\n";
  if (room < least_room) return trimmed(line) + "\n" + folded(std::string(indent, ' ') + text, indent);
  const std::size_t begin = width_of(line);
  return line + folded(std::string(begin, ' ') + text, begin, begin + room).substr(begin);
}

// Returns the width that the cells of each column need.
std::vector<std::size_t> widths_of(const Table& table) {
  std::vector<std::size_t> widths;
  for (const Column& column : table.columns) widths.push_back(width_of(column.name));
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].words()));
  }
  return widths;
}

std::string rows_text(const Table& table) {
  const std::vector<std::size_t> widths = widths_of(table);
  const std::size_t last = widths.size() - 1;
  const std::size_t begin = std::accumulate(widths.begin(), widths.end() - 1, 2 * widths.size()),
                    columns = std::max(begin, sentence_columns());
  const auto line_text = [&](const auto& words_of) {
    std::string line = "  ";
    for (std::size_t i = 0; i < last; ++i)
      line += padded(words_of(i), widths[i], table.columns[i].has_figures) + "  ";
    return table.columns[last].has_figures ? trimmed(line + padded(words_of(last), widths[last], true)) + "\n"
                                           : with_text(line, words_of(last), columns - begin);
  };
  std::string text;
  if (std::ranges::any_of(table.columns, [](const Column& column) { return !column.name.empty(); }))
    text = line_text([&](std::size_t i) { return table.columns[i].name; });
  for (const Row& row : table.rows) text += line_text([&](std::size_t i) { return row[i].words(); });
  return text;
}

}  // namespace

std::string table_text(const Table& table, bool after) {
  std::string text;
  if (!table.empty()) text = (table.title.empty() ? "" : folded(table.title, 2)) + rows_text(table);
  for (const std::string& note : table.notes) text += folded("  " + note, 4);
  return text.empty() || !after ? text : text + "\n";
}

}  // namespace gable::cli
