#include "cli/text/titled_html.hpp"

#include "plots/html/tables.hpp"

namespace gable::cli {

std::string titled_html(const TitledTable& table) {
  std::string out;
  if (!table.empty())
    out =
        html::table_html({table.title, table.lines.front(), {table.lines.begin() + 1, table.lines.end()}, 1});
  for (const std::string& note : table.notes) out += html::paragraph(note, "quiet");
  return out;
}

}  // namespace gable::cli
