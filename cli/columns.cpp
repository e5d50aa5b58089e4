#include "cli/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gable::cli {

std::string aligned(const std::vector<Cells>& lines, std::size_t left, bool left_end) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  }
  std::string text;
  for (const Cells& cells : lines) {
    std::string line = "  ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      line += i < left || (left_end && i + 1 == cells.size()) ? fmt::format("{:<{}}  ", cells[i], widths[i])
                                                              : fmt::format("{:>{}}  ", cells[i], widths[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string number(double value) {
  const int decimals = value >= 999.95 ? 0 : value >= 99.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace gable::cli
