
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cli/text/columns.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

namespace {

using model::IntervalForm;
using model::Roof;

std::string without_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// Appends the text to the line, folded to `room` columns. If that is too few, the text follows below the
// line. Short texts such as "not judged [1]" always stay in the line.
std::string with_text(const std::string& line, const std::string& text, std::size_t room) {
  constexpr std::size_t least_room = 16, indent = 6;
  if (width_of(text) <= std::max(room, least_room)) return without_end(line + text);
  if (room < least_room) return without_end(line) + folded(std::string(indent, ' ') + text, indent);
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
    return table.columns[last].has_figures ? without_end(line + padded(words_of(last), widths[last], true))
                                           : with_text(line, words_of(last), columns - begin);
  };
  std::string text;
  if (std::ranges::any_of(table.columns, [](const Column& column) { return !column.name.empty(); }))
    text = line_text([&](std::size_t i) { return table.columns[i].name; });
  for (const Row& row : table.rows) text += line_text([&](std::size_t i) { return row[i].words(); });
  return text;
}

constexpr std::size_t gap = 3;  // before every column

// A block with the widths of its columns.
struct Wide {
  const Table* block;
  std::size_t first = 0, end = 0;  // of its columns
  std::vector<std::size_t> widths;

  std::size_t width() const {
    const std::size_t cells =
        std::accumulate(widths.begin() + static_cast<std::ptrdiff_t>(first),
                        widths.begin() + static_cast<std::ptrdiff_t>(end), std::size_t{0});
    return std::max(cells + gap * (end - first), gap + width_of(block->title));
  }
};

Wide whole(const Table& block) {
  return {&block, 0, block.columns.size(), widths_of(block)};
}

std::size_t widest(const std::vector<std::string>& labels) {
  std::size_t width = 0;
  for (const std::string& label : labels) width = std::max(width, width_of(label));
  return width;
}

// Whether none of these blocks has anything in the row.
bool is_blank_row(const std::vector<Wide>& blocks, std::size_t row) {
  return std::ranges::all_of(blocks, [&](const Wide& wide) {
    return std::ranges::all_of(wide.block->rows[row], [](const Cell& cell) { return cell.words().empty(); });
  });
}

// Blocks beside each other behind the labels.
std::string side_by_side(const std::vector<std::string>& labels, std::size_t label_width,
                         const std::vector<Wide>& blocks) {
  const std::string indent(2 + label_width, ' ');
  std::string titles = indent, names = indent;
  for (const Wide& wide : blocks) {
    titles += padded(std::string(gap, ' ') + wide.block->title, wide.width(), false);
    std::string columns;
    for (std::size_t i = wide.first; i < wide.end; ++i)
      columns += std::string(gap, ' ') + padded(wide.block->columns[i].name, wide.widths[i], true);
    names += padded(columns, wide.width(), false);
  }
  std::string text = without_end(titles);
  if (names.find_first_not_of(' ') != std::string::npos) text += without_end(names);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (is_blank_row(blocks, row)) continue;
    std::string line = "  " + padded(labels[row], label_width, false);
    for (const Wide& wide : blocks) {
      std::string cells;
      for (std::size_t i = wide.first; i < wide.end; ++i)
        cells += std::string(gap, ' ') + padded(wide.block->rows[row][i].words(), wide.widths[i], true);
      line += padded(cells, wide.width(), false);
    }
    text += without_end(line);
  }
  return text;
}

// Parts of a block that fit beside the labels.
std::vector<Wide> parts_of(const Wide& wide, std::size_t room) {
  std::vector<Wide> parts;
  for (std::size_t first = wide.first; first < wide.end;) {
    Wide part = wide;
    part.first = first;
    part.end = first + 1;
    while (part.end < wide.end) {
      Wide more = part;
      ++more.end;
      if (more.width() > room) break;
      part = more;
    }
    first = part.end;
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::string interval_text(double value, double lo, double hi) {
  switch (model::interval_form(value, lo, hi)) {
    case IntervalForm::none:
      return {};
    case IntervalForm::percent:
      return fmt::format("{:.1f} %", model::interval_percent(value, lo, hi).value_or(0));
    case IntervalForm::ends:
      return fmt::format("{} to {}", number(lo), number(hi));
    case IntervalForm::unknown:
      break;
  }
  return "?";
}

std::string interval_cell(const Roof& roof) {
  if (roof.n < 2 && roof.source.empty()) return "?";
  const std::string text = interval_text(roof.value, roof.lo, roof.hi);
  if (!text.empty()) return text;
  return roof.source.empty() ? "0.0 %" : "?";
}

bool has_plus_minus(double value, double lo, double hi) {
  return model::interval_form(value, lo, hi) == IntervalForm::percent;
}

Cell with_interval(double value, double lo, double hi, const std::string& unit) {
  const std::string text = number(value) + unit, interval = interval_text(value, lo, hi);
  if (interval.empty()) return text;
  const bool has_ends = model::interval_form(value, lo, hi) == IntervalForm::ends;
  return {text, has_ends ? "(" + interval + ")" : "±" + interval};
}

Cell with_ends(const model::Estimate& estimate) {
  const std::string text = number(estimate.value);
  switch (model::interval_form(estimate.value, estimate.lo, estimate.hi)) {
    case IntervalForm::none:
      return text;
    case IntervalForm::unknown:
      return {text, "±?"};
    default:
      return {text, "(" + number_range(estimate.lo, estimate.hi) + ")"};
  }
}

Cell figure_cell(const Roof& roof) {
  if (roof.source.empty() && (roof.n < 2 || roof.hi <= roof.lo))
    return {number(roof.value), "±" + interval_cell(roof)};
  return with_interval(roof.value, roof.lo, roof.hi);
}

std::string table_text(const Table& table, bool after) {
  std::string text;
  if (!table.empty()) text = (table.title.empty() ? "" : folded(table.title, 2)) + rows_text(table);
  for (const std::string& note : table.notes) text += folded("  " + note, 4);
  return text.empty() || !after ? text : text + "\n";
}

bool fit_side_by_side(const std::vector<std::string>& labels, const std::vector<Table>& blocks) {
  std::size_t width = 2 + widest(labels);
  for (const Table& block : blocks) width += block.columns.empty() ? 0 : whole(block).width();
  return width <= sentence_columns();
}

std::string blocks_text(const std::vector<std::string>& labels, const std::vector<Table>& blocks) {
  const std::size_t label_width = widest(labels);
  std::vector<Wide> all;
  for (const Table& block : blocks) {
    if (!block.columns.empty()) all.push_back(whole(block));
  }
  if (all.empty()) return {};
  if (fit_side_by_side(labels, blocks)) return side_by_side(labels, label_width, all);
  std::string text;
  const std::size_t room = sentence_columns() - std::min(sentence_columns(), 2 + label_width);
  for (const Wide& wide : all) {
    for (const Wide& part : parts_of(wide, room)) text += side_by_side(labels, label_width, {part});
  }
  return text;
}

}  // namespace gable::cli
