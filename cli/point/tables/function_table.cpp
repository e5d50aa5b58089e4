#include "cli/point/tables/function_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/words.hpp"
#include "cli/text/table_text.hpp"

namespace gable::cli {
namespace {

using model::FunctionWork;

std::string file_of(const FunctionWork& function) {
  return std::filesystem::path(function.object).filename();
}

// ld-linux-x86-64.so.2, ld-2.31.so, ld-musl-x86_64.so.1
bool is_of_loader(const FunctionWork& function) {
  const std::string file = file_of(function);
  return file.starts_with("ld-") && file.find(".so") != std::string::npos;
}

double amount_of_work(const FunctionWork& function) {
  return function.flops + function.load_bytes + function.store_bytes;
}

// The functions of the program, and the loader as if it were one.
std::vector<FunctionWork> rows_of(const model::Point& point) {
  std::vector<FunctionWork> rows;
  FunctionWork loader;
  int count = 0;
  for (const FunctionWork& one : point.functions) {
    if (!is_of_loader(one)) {
      rows.push_back(one);
      continue;
    }
    ++count;
    loader.object = one.object;
    loader.flops += one.flops;
    loader.load_bytes += one.load_bytes;
    loader.store_bytes += one.store_bytes;
  }
  if (count == 0) return rows;
  loader.function = count_text(count, "function") + " of the dynamic loader";
  rows.push_back(loader);
  std::ranges::stable_sort(rows, std::greater<>(), amount_of_work);
  return rows;
}

// Removes those that do little of the work of all rows: the start and the end of any program take dozens.
void drop_small(std::vector<FunctionWork>& rows) {
  model::Point all;
  for (const FunctionWork& one : rows) {
    all.flops += one.flops;
    all.load_bytes += one.load_bytes;
    all.store_bytes += one.store_bytes;
  }
  std::erase_if(rows, [&](const FunctionWork& one) { return is_small(one, all); });
}

// "82 % local memory": what the function needs most, of the program's time, and between which bounds if these
// are far apart; empty if that is not known.
std::string need_text(const model::Point& point, const model::Reading& reading, const FunctionWork& work) {
  const auto found = std::ranges::find_if(reading.functions, [&](const model::FunctionReading& each) {
    const FunctionWork& known = point.functions[each.function];
    return known.function == work.function && known.object == work.object;
  });
  constexpr double far_apart = 2;
  if (found == reading.functions.end()) return "";
  const std::string share = found->hi > far_apart * found->lo
                                ? fmt::format("{:.0f} to {}", 100 * found->lo, percent_text(100 * found->hi))
                                : percent_text(100 * found->share);
  return fmt::format("{} {}", share, found->what);
}

std::vector<Column> columns_of_functions(bool has_needs) {
  std::vector<std::string> figures = {"flops", "loaded B", "stored B", "flop/byte"};
  if (has_needs) figures.insert(figures.end(), {"memory B", "largest need"});
  return columns({}, figures, {"function (by itself)"});
}

Row cells_of(const model::Point& point, const model::Reading& reading, const FunctionWork& one) {
  const double bytes = one.load_bytes + one.store_bytes;
  Row cells = {fmt::format("{:.3g}", one.flops), fmt::format("{:.3g}", one.load_bytes),
               fmt::format("{:.3g}", one.store_bytes),
               bytes > 0 ? fmt::format("{:.3g}", one.flops / bytes) : "-"};
  if (!reading.functions.empty()) {
    const double memory = one.levels.empty() ? 0 : one.levels.back().read + one.levels.back().written;
    cells.emplace_back(one.levels.empty() ? "-" : fmt::format("{:.3g}", memory));
    const std::string need = need_text(point, reading, one);
    cells.emplace_back(need.empty() ? "-" : need);
  }
  const std::string object = file_of(one);
  cells.emplace_back((one.function.empty() ? "?" : one.function) +
                     (object.empty() ? "" : " (" + object + ")"));
  return cells;
}

}  // namespace

std::string function_table(const model::Point& point, const model::Reading& reading) {
  if (point.functions.empty()) return {};
  constexpr std::size_t shown = 30;
  std::vector<FunctionWork> rows = rows_of(point);
  const std::size_t all = rows.size();
  drop_small(rows);
  rows.resize(std::min(shown, rows.size()));
  Table table{"", columns_of_functions(!reading.functions.empty())};
  for (const FunctionWork& one : rows) table.rows.push_back(cells_of(point, reading, one));
  std::string text = table_text(table, false);
  if (all > rows.size()) text += fmt::format("  and {} with less work, in points.json\n", all - rows.size());
  return text;
}

}  // namespace gable::cli
