#include "cli/show/blocks.hpp"

#include <algorithm>
#include <numeric>

#include "cli/text/columns.hpp"

namespace gable::cli {
namespace {

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
  Wide wide{&block, 0, block.columns.size(), {}};
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    std::size_t width = width_of(block.columns[i].name);
    for (const Row& row : block.rows) width = std::max(width, width_of(row[i].words()));
    wide.widths.push_back(width);
  }
  return wide;
}

std::string without_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::size_t widest(const std::vector<std::string>& labels) {
  std::size_t width = 0;
  for (const std::string& label : labels) width = std::max(width, width_of(label));
  return width;
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
