#include "base/tables/csv.hpp"

namespace gable {

namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::string csv_text(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += (i == 0 ? "" : ",") + quoted(table.columns[i].name);
  text += "\n";
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + quoted(row[i].words());
    text += "\n";
  }
  return text;
}

}  // namespace gable
