#include "cli/text/titled_table.hpp"

namespace gable::cli {

std::string titled_text(const TitledTable& table, bool after) {
  std::string text;
  if (!table.empty()) text = table.title + "\n" + aligned(table.lines, table.left, table.left_end);
  for (const std::string& note : table.notes) text += folded("  " + note, 4);
  return text.empty() || !after ? text : text + "\n";
}

}  // namespace gable::cli
