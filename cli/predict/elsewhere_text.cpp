#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

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
  return joined(texts, std::identity());
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

// "fastest on ", unless another machine may be faster by its interval.
std::string fastest_words(const PredictedRows& rows, const PredictedRow& fastest) {
  const bool is_certain = std::ranges::all_of(rows.rows, [&](const PredictedRow& row) {
    return &row == &fastest || !is_predicted(row) || row.forecast.lo > fastest.forecast.hi;
  });
  return is_certain ? "fastest on " : "most likely fastest on ";
}

std::string measured_line(const PredictedRows& rows) {
  std::string text = rows.program;
  if (rows.here) {
    const model::Point& point = rows.here->like;
    text += fmt::format(": {} on {} ({})", duration_text(point.seconds), rows.here_name,
                        joined(words_of(*rows.here), std::identity()));
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
  text += folded(fmt::format("{}{}: {}, most likely {}{}", several ? fastest_words(rows, *fastest) : "on ",
                             fastest->machine, interval_words(forecast), duration_text(forecast.seconds),
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

// How all rows use their machines.
std::vector<std::string> common_words(const PredictedRows& rows) {
  std::optional<std::vector<std::string>> common;
  for (const PredictedRow& row : rows.rows) {
    if (!is_predicted(row)) continue;
    const std::vector<std::string> words = words_of(row.setting);
    if (!common) common = words;
    std::erase_if(*common, [&](const std::string& word) { return !is_among(words, word); });
  }
  return common.value_or(std::vector<std::string>());
}

// How the row uses its machine, beside what is common to all.
std::string other_words(const PredictedRow& row, const std::vector<std::string>& common) {
  std::vector<std::string> words = words_of(row.setting);
  std::erase_if(words, [&](const std::string& word) { return is_among(common, word); });
  return joined(words, std::identity());
}

}  // namespace

Table elsewhere_table(const PredictedRows& rows) {
  Table table;
  const std::vector<std::string> common = common_words(rows);
  const bool alike = std::ranges::all_of(rows.rows, [&](const PredictedRow& row) {
    return !is_predicted(row) || other_words(row, common).empty();
  });
  table.title = "Predicted times";
  if (!common.empty()) table.title += fmt::format(" ({})", joined(common, std::identity()));
  table.columns =
      columns(alike ? std::vector<std::string>{"machine"} : std::vector<std::string>{"machine", "as"},
              {"time", "95 %", rows.here ? "to here" : "to first"}, {"what binds, of the time"});
  for (const PredictedRow& row : rows.rows) {
    Row line = {row.machine};
    if (is_predicted(row)) {
      if (!alike) line.emplace_back(other_words(row, common));
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
  Table table{"Functions", columns({"function"})};
  std::vector<const PredictedRow*> predicted;
  std::map<std::string, std::map<const PredictedRow*, double>> seconds;
  std::vector<std::string> names;
  for (const PredictedRow& row : rows.rows) {
    if (!is_predicted(row)) continue;
    predicted.push_back(&row);
    table.add_column(row.machine);
    for (const Forecast::Share& share : row.forecast.functions) {
      if (share.seconds >= least * row.forecast.seconds) add_once(names, share.what);
      seconds[share.what][&row] = share.seconds;
    }
  }
  for (const std::string& name : names) {
    Row line = {model::short_function(name)};
    for (const PredictedRow* row : predicted) {
      const double own = seconds[name][row];
      line.emplace_back(
          fmt::format("{}, {}", duration_text(own), percent_text(100 * own / row->forecast.seconds)));
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::string missing_text(const Forecast& forecast) {
  std::string text = joined(model::sentences(forecast.missing), std::identity());
  if (forecast.missing_percent >= 1)
    text += fmt::format(", which makes the time uncertain by {}", percent_text(forecast.missing_percent));
  return text;
}

// Texts about machines, with the machines that each is about, in the order in which they come.
class TextsOnMachines {
 public:
  void add(const std::string& machine, const std::string& text) {
    add_once(value_for(texts_, text), machine);
  }

  // `one` is what follows the name of a machine, and `several` the names of several. What is about `all`
  // machines has no names in front, unless there is only one.
  std::vector<std::string> with_names(const std::string& one, const std::string& several,
                                      std::size_t all) const {
    std::vector<std::string> sentences;
    for (const auto& [text, names] : texts_) {
      const bool is_of_all = names.size() == all && all > 1;
      sentences.push_back(is_of_all ? text
                                    : joined(names, std::identity(), "; ") +
                                          (names.size() > 1 ? several : one) + text);
    }
    return sentences;
  }

 private:
  using Names = std::vector<std::string>;
  std::vector<std::pair<std::string, Names>> texts_;
};

}  // namespace

std::vector<std::string> elsewhere_notes(const PredictedRows& rows) {
  std::vector<std::string> notes = rows.notes;
  TextsOnMachines remarks, missing;
  std::vector<std::string> predicted;
  for (const PredictedRow& row : rows.rows) {
    if (!is_predicted(row)) continue;
    add_once(predicted, row.machine);
    for (const std::string& note : row.forecast.notes) add_once(notes, note);
    for (const std::string& note : row.notes) remarks.add(row.machine, note);
    if (!row.forecast.missing.empty()) missing.add(row.machine, missing_text(row.forecast));
  }
  for (const std::string& note : remarks.with_names(": ", ": ", predicted.size())) add_once(notes, note);
  constexpr std::size_t never = 0;
  for (const std::string& note : missing.with_names(" lacks ", " lack ", never)) add_once(notes, note);
  return notes;
}

std::string elsewhere_text(const PredictedRows& rows, bool functions) {
  std::string text = answer_text(rows) + "\n" + table_text(elsewhere_table(rows));
  if (functions) text += table_text(functions_table(rows));
  for (const std::string& note : elsewhere_notes(rows)) text += folded(note, 2);
  return text;
}

}  // namespace gable::cli
