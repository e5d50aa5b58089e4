#include "cli/point/tables/function_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {
namespace {

using model::FunctionReading;
using model::Point;

constexpr double worth_a_row = 0.05;

struct TimedRow {
  std::string name;
  double samples = 0;
  const FunctionReading* reading = nullptr;
};

std::vector<TimedRow> functions_by_time(const Point& point, const model::Reading& reading) {
  std::vector<TimedRow> rows;
  for (std::size_t i = 0; i < point.functions.size(); ++i) {
    const model::FunctionWork& work = point.functions[i];
    rows.push_back({fmt::format("{} ({})", work.function.empty() ? "(no symbol)" : work.function,
                                model::without_folders(work.object)),
                    work.samples, function_reading(reading, i)});
  }
  std::ranges::stable_sort(rows, std::greater(), &TimedRow::samples);
  return rows;
}

// The kernel, and code that was not counted.
std::vector<TimedRow> others_by_time(const model::Samples& samples) {
  std::vector<TimedRow> rows = {{"(in the kernel)", samples.kernel}};
  for (const auto& [file, count] : samples.elsewhere)
    rows.push_back(
        {file.empty() ? "(generated code)" : fmt::format("(other code of {})", model::without_folders(file)),
         count});
  std::ranges::stable_sort(rows, std::greater(), &TimedRow::samples);
  return rows;
}

}  // namespace

Cell time_cell(const model::Samples& all, double samples) {
  const auto time = model::time_share(all, samples);
  if (!time) return "-";
  return {percent_text(100 * time->value), fmt::format("({:.0f} to {:.0f})", 100 * time->lo, 100 * time->hi)};
}

std::string need_text(const FunctionReading* reading) {
  constexpr double far_apart = 2;
  if (reading == nullptr) return "-";
  const std::string share =
      reading->hi > far_apart * reading->lo
          ? fmt::format("{:.0f} to {}", 100 * reading->lo, percent_text(100 * reading->hi))
          : percent_text(100 * reading->share);
  return fmt::format("{} {}", share, reading->what);
}

std::string remains_text(const FunctionReading* reading) {
  if (reading == nullptr || !reading->measured) return "-";
  const auto words = std::string(row_of(reading->measured->verdict).words);
  if (reading->measured->verdict == model::FunctionVerdict::few_samples) return words;
  return fmt::format("{} ({})", percent_text(100 * reading->measured->remains), words);
}

Table function_times(const Point& point, const model::Reading& reading, std::size_t most) {
  Table table{"", columns({}, {"time", "largest need", "remains"}, {"function (by itself)"})};
  const model::Samples& samples = point.samples;
  if (!samples.missing.empty())
    table.notes.push_back("The time of functions was not measured: " + sentence(samples.missing) + ".");
  if (samples.all <= 0) return table;
  const auto add = [&](const std::vector<TimedRow>& rows, std::size_t at_most) {
    for (const TimedRow& row : rows) {
      if (row.samples < worth_a_row * samples.all || at_most-- == 0) return;
      table.rows.push_back(
          {time_cell(samples, row.samples), need_text(row.reading), remains_text(row.reading), row.name});
    }
  };
  add(functions_by_time(point, reading), most);
  add(others_by_time(samples), most);
  if (const double busy = model::busy_share(point); busy < 1 - worth_a_row)
    table.notes.push_back(fmt::format("Times are shares of its CPU time; its threads ran {} of the time.",
                                      percent_text(100 * busy)));
  return table;
}

}  // namespace gable::cli
