#include "cli/point/tables/object_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/words.hpp"
#include "cli/text/bytes.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {
namespace {

using model::LevelBytes;

Cells header(const model::Point& point) {
  Cells cells = {"size"};
  for (const LevelBytes& level : point.levels)
    cells.push_back(is_memory(level.level) ? "memory reads" : "from " + level.level.name());
  if (is_memory(point.levels.back().level)) cells.insert(cells.end(), {"writes", "of all"});
  cells.emplace_back("object");
  return cells;
}

Cells cells_of(const model::ObjectBytes& object, const LevelBytes& all) {
  Cells cells = {bytes_cell(static_cast<double>(object.peak_bytes))};
  for (const LevelBytes& level : object.levels)
    cells.push_back(bytes_cell(is_memory(level.level) ? level.read : level.read + level.written));
  if (is_memory(all.level)) {
    const double own = object.levels.back().read + object.levels.back().written, of = all.read + all.written;
    cells.push_back(bytes_cell(object.levels.back().written));
    cells.push_back(of > 0 ? percent_text(100 * own / of) : "-");
  }
  cells.push_back(object.name);
  return cells;
}

}  // namespace

std::string object_table(const model::Point& point) {
  constexpr std::size_t most = 5;
  if (point.objects.empty() || point.levels.empty()) return {};
  std::vector<Cells> lines = {header(point)};
  for (const model::ObjectBytes& object : point.objects) {
    if (lines.size() <= most) lines.push_back(cells_of(object, point.levels.back()));
  }
  std::string text = aligned(lines, 0);
  if (point.objects.size() > most)
    text += fmt::format("  and {} with less, in points.json\n", point.objects.size() - most);
  return text;
}

}  // namespace gable::cli
