#include "base/tables/table.hpp"

namespace gable {

namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

void Table::drop_column(std::size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  columns.erase(columns.begin() + at);
  for (Row& row : rows) row.erase(row.begin() + at);
}

std::vector<Column> columns(const std::vector<std::string>& words, const std::vector<std::string>& figures,
                            const std::vector<std::string>& last) {
  std::vector<Column> all;
  for (const std::string& name : words) all.push_back({name, false});
  for (const std::string& name : figures) all.push_back({name, true});
  for (const std::string& name : last) all.push_back({name, false});
  return all;
}

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
