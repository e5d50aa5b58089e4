#include "cli/point/tables/object_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/words.hpp"
#include "cli/text/bytes.hpp"
#include "cli/text/table_text.hpp"

namespace gable::cli {
namespace {

using model::LevelBytes;

std::vector<Column> columns_of_objects(const model::Point& point) {
  std::vector<std::string> figures = {"size"};
  for (const LevelBytes& level : point.levels)
    figures.push_back(is_memory(level.level) ? "memory reads" : "from " + level.level.name());
  if (is_memory(point.levels.back().level)) figures.insert(figures.end(), {"writes", "of all"});
  return columns({}, figures, {"object"});
}

Row cells_of(const model::ObjectBytes& object, const LevelBytes& all) {
  Row cells = {bytes_cell(static_cast<double>(object.peak_bytes))};
  for (const LevelBytes& level : object.levels)
    cells.emplace_back(bytes_cell(is_memory(level.level) ? level.read : level.read + level.written));
  if (is_memory(all.level)) {
    const double own = object.levels.back().read + object.levels.back().written, of = all.read + all.written;
    cells.emplace_back(bytes_cell(object.levels.back().written));
    cells.emplace_back(of > 0 ? percent_text(100 * own / of) : "-");
  }
  cells.emplace_back(object.name);
  return cells;
}

}  // namespace

std::string object_table(const model::Point& point) {
  constexpr std::size_t most = 5;
  if (point.objects.empty() || point.levels.empty()) return {};
  Table table{"", columns_of_objects(point)};
  for (const model::ObjectBytes& object : point.objects) {
    if (table.rows.size() < most) table.rows.push_back(cells_of(object, point.levels.back()));
  }
  std::string text = table_text(table, false);
  if (point.objects.size() > most)
    text += fmt::format("  and {} with less, in points.json\n", point.objects.size() - most);
  return text;
}

}  // namespace gable::cli
