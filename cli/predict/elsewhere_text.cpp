#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/predict/elsewhere.hpp"
#include "cli/text/columns.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {
namespace {

using model::Forecast;

bool is_predicted(const PredictedRow& row) {
  return row.forecast.status == model::Status::ok;
}

std::string interval_words(const Forecast& forecast) {
  return duration_text(forecast.lo) + " to " + duration_text(forecast.hi);
}

// "1.80 times as fast", "as fast", "2.10 times as slow".
std::string speed_text(double ratio) {
  constexpr double same = 0.005;
  if (std::abs(ratio - 1) < same) return "as fast";
  return ratio < 1 ? fmt::format("{:.2f} times as fast", 1 / ratio)
                   : fmt::format("{:.2f} times as slow", ratio);
}

std::string share_text(const Forecast& forecast, const Forecast::Share& share) {
  return fmt::format("{} {}", share.what, percent_text(100 * share.seconds / forecast.seconds));
}

// What takes a tenth or more.
std::string binds_text(const Forecast& forecast) {
  constexpr double worth_a_word = 0.1;
  std::vector<std::string> texts;
  for (const Forecast::Share& share : forecast.binds) {
    if (texts.empty() || share.seconds >= worth_a_word * forecast.seconds)
      texts.push_back(share_text(forecast, share));
  }
  return joined(texts, [](const std::string& text) { return text; });
}

double ratio_of(const PredictedRows& rows, const PredictedRow& row) {
  if (rows.here) return row.forecast.ratio;
  const auto first = std::ranges::find_if(rows.rows, is_predicted);
  return row.forecast.seconds / first->forecast.seconds;
}

const PredictedRow* fastest_of(const PredictedRows& rows) {
  const PredictedRow* fastest = nullptr;
  for (const PredictedRow& row : rows.rows) {
    if (is_predicted(row) && (fastest == nullptr || row.forecast.seconds < fastest->forecast.seconds))
      fastest = &row;
  }
  return fastest;
}

std::string measured_line(const PredictedRows& rows) {
  std::string text = rows.program;
  if (rows.here) {
    const model::Point& point = rows.here->like;
    text +=
        fmt::format(": {} on {} ({})", duration_text(point.seconds), rows.here_name, words_of(*rows.here));
  } else {
    text += ": from its profile alone, since it was timed nowhere";
  }
  return folded(text, 2);
}

// Three lines: what was measured, the answer, and how far the roofs explain the program.
std::string answer_text(const PredictedRows& rows) {
  std::string text = measured_line(rows);
  const PredictedRow* const fastest = fastest_of(rows);
  if (fastest == nullptr) return text + "no time can be predicted there\n";
  const Forecast& forecast = fastest->forecast;
  const bool several = std::ranges::count_if(rows.rows, is_predicted) > 1;
  text += folded(fmt::format("{}{}: {}, most likely {}{}", several ? "fastest on " : "on ", fastest->machine,
                             interval_words(forecast), duration_text(forecast.seconds),
                             rows.here ? ", " + speed_text(forecast.ratio) + " as here" : ""),
                 2);
  if (rows.here)
    text += folded(fmt::format("the roofs explain {} of its time here; {} there: {}",
                               percent_text(forecast.explained_percent),
                               several ? fastest->machine : "what binds", binds_text(forecast)),
                   2);
  else
    text += folded(fmt::format("what binds there: {}", binds_text(forecast)), 2);
  return text;
}

// Whether all rows use their machines in the same way.
bool are_alike(const PredictedRows& rows) {
  return std::ranges::all_of(rows.rows, [&](const PredictedRow& row) {
    return !is_predicted(row) || words_of(row.setting) == words_of(rows.rows.front().setting);
  });
}

}  // namespace

Table elsewhere_table(const PredictedRows& rows) {
  Table table;
  const bool alike = are_alike(rows);
  table.title = "Predicted times";
  if (alike && is_predicted(rows.rows.front()))
    table.title += fmt::format(" ({})", words_of(rows.rows.front().setting));
  table.columns =
      columns(alike ? std::vector<std::string>{"machine"} : std::vector<std::string>{"machine", "as"},
              {"time", "95 %", rows.here ? "to here" : "to first"}, {"what binds, of the time"});
  for (const PredictedRow& row : rows.rows) {
    Row line = {row.machine};
    if (is_predicted(row)) {
      if (!alike) line.emplace_back(words_of(row.setting));
      line.insert(line.end(), {duration_text(row.forecast.seconds), interval_words(row.forecast),
                               fmt::format("{:.2f}", ratio_of(rows, row)), binds_text(row.forecast)});
    } else {
      if (!alike) line.emplace_back();
      line.insert(line.end(), {"?", "", "", "not predicted: " + row.forecast.reason});
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

namespace {

// The functions that take a hundredth of the time somewhere.
Table functions_table(const PredictedRows& rows) {
  constexpr double least = 0.01;
  Table table;
  table.title = "Functions";
  table.columns = columns({"function"});
  std::map<std::string, std::map<std::size_t, double>> seconds;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    table.add_column(rows.rows[i].machine);
    for (const Forecast::Share& share : rows.rows[i].forecast.functions) {
      if (share.seconds < least * rows.rows[i].forecast.seconds) continue;
      add_once(names, share.what);
    }
    for (const Forecast::Share& share : rows.rows[i].forecast.functions)
      seconds[share.what][i] = share.seconds;
  }
  for (const std::string& name : names) {
    Row line = {model::short_function(name)};
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      const double own = seconds[name].contains(i) ? seconds[name][i] : 0;
      line.emplace_back(is_predicted(rows.rows[i])
                            ? fmt::format("{}, {}", duration_text(own),
                                          percent_text(100 * own / rows.rows[i].forecast.seconds))
                            : "?");
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string lacks_text(const PredictedRow& row) {
  std::string text = fmt::format("{} lacks {}", row.machine, joined(row.forecast.missing, std::identity()));
  if (row.forecast.missing_percent >= 1)
    text += fmt::format(", which makes the time uncertain by {}", percent_text(row.forecast.missing_percent));
  return text;
}

}  // namespace

std::vector<std::string> elsewhere_notes(const PredictedRows& rows) {
  std::vector<std::string> notes;
  for (const std::string& note : rows.notes) add_once(notes, note);
  for (const PredictedRow& row : rows.rows) {
    for (const std::string& note : row.forecast.notes) add_once(notes, note);
    for (const std::string& note : row.notes) add_once(notes, row.machine + ": " + note);
    if (is_predicted(row) && !row.forecast.missing.empty()) add_once(notes, lacks_text(row));
  }
  return notes;
}

std::string elsewhere_text(const PredictedRows& rows, bool functions) {
  std::string text = answer_text(rows) + "\n" + table_text(elsewhere_table(rows));
  if (functions) text += table_text(functions_table(rows));
  for (const std::string& note : elsewhere_notes(rows)) text += folded(note, 2);
  return text;
}

}  // namespace gable::cli
