#include "base/tables/table.hpp"

namespace gable {

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

}  // namespace gable
