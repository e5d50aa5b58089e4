#include "cli/report/sections.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/show/shown_roofs.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"
#include "model/roofs/visits.hpp"

namespace gable::cli {
namespace {

using model::Roof;
using model::Sample;
using model::Status;

struct Widest {
  Roof roof;
  std::string words;   // "L1 loads"
  double percent = 0;  // as the tables print it; 0: no interval
};

void add(const std::vector<Roof>& roofs, const std::string& words, Widest& widest) {
  for (const Roof& roof : roofs) {
    if (roof.status != Status::ok || !roof.source.empty()) continue;
    const double percent = model::interval_percent(roof).value_or(0);
    if (percent <= widest.percent) continue;
    widest = {roof, words.empty() ? name_of(roof.spec, model::Style::place) + " latency" : words, percent};
  }
}

Widest widest_of(const ShownFolder& shown) {
  Widest widest;
  for (const ShownLine& line : lines_of(shown)) {
    add(line.figures, line.words, widest);
    add(line.latencies, "", widest);
  }
  const ShownMatrix matrix = matrix_of(shown);
  for (const Roof& roof : matrix.bandwidth)
    add({roof}, name_of(roof.spec, model::Style::place) + " loads", widest);
  add(matrix.latency, "", widest);
  if (matrix.clusters.size() > 1) widest.words += fmt::format(", cluster {}", widest.roof.spec.cluster);
  return widest;
}

// The valid visits of the figure, and what all of them show.
class FigureVisits {
 public:
  FigureVisits(const Roof& roof, const std::vector<Sample>& samples) : crowded_(pointers_to(samples)) {
    const std::string of = model::key(roof.spec);
    for (const Sample& sample : samples)
      if (sample.status == Status::ok && model::key(sample.spec) == of) visits_.push_back(&sample);
  }

  bool empty() const { return visits_.empty(); }

  int rounds() const {
    std::set<int> rounds;
    for (const Sample* visit : visits_) rounds.insert(visit->round);
    return static_cast<int>(rounds.size());
  }

  // These are shares of the repetitions, kept or dropped.
  double stopped_percent() const {
    return percent_of([](const Sample& visit) { return visit.disturbed; });
  }
  double crowded_percent() const {
    return percent_of([this](const Sample& visit) {
      return visit.crowded + (crowded_.is_crowded(visit) ? static_cast<int>(visit.seconds.size()) : 0);
    });
  }

  // The slowest and the fastest clock; 0 if it was not measured.
  std::pair<double, double> clocks() const {
    std::vector<double> clocks;
    for (const Sample* visit : visits_)
      if (visit->clock_ghz > 0) clocks.push_back(visit->clock_ghz);
    if (clocks.empty()) return {0, 0};
    const auto [least, most] = std::ranges::minmax(clocks);
    return {least, most};
  }

 private:
  static std::vector<const Sample*> pointers_to(const std::vector<Sample>& samples) {
    return each_of(samples, [](const Sample& sample) { return &sample; });
  }

  template <class Count>
  double percent_of(const Count& count) const {
    double counted = 0, all = 0;
    for (const Sample* visit : visits_) {
      counted += count(*visit);
      all += static_cast<double>(visit->seconds.size()) + visit->disturbed + visit->crowded;
    }
    return all > 0 ? 100 * counted / all : 0;
  }

  model::Crowded crowded_;
  std::vector<const Sample*> visits_;
};

// What the visits show that explains so wide an interval, a clause each, and what to do about it.
struct Causes {
  std::vector<std::string> clauses;
  std::string advice = "measure again";
};

Causes causes_of(const Widest& widest, const FigureVisits& visits) {
  constexpr int few_rounds = 3;     // the interval of three rounds is 2.5 times their standard deviation
  constexpr double noticeable = 5;  // percent of the repetitions
  Causes causes;
  const auto add = [&](std::string clause, const char* advice) {
    causes.clauses.push_back(std::move(clause));
    causes.advice = advice;
  };
  if (has(widest.roof.remarks, model::NoteCode::two_states))
    add("the machine had two states", "measure again");
  if (const int rounds = visits.rounds(); rounds <= few_rounds)
    add(fmt::format("there {} only {}", rounds == 1 ? "was" : "were", count_text(rounds, "round")),
        "measure further rounds");
  const char* const quieter = "measure again at a quieter time";
  if (const double percent = visits.stopped_percent(); percent >= noticeable)
    add(fmt::format("threads were stopped in {:.0f} % of the repetitions", percent), quieter);
  if (const double percent = visits.crowded_percent(); percent >= noticeable)
    add(fmt::format("another hardware thread used the cores in {:.0f} % of the repetitions", percent),
        quieter);
  const auto [slow, fast] = visits.clocks();
  if (slow > 0 && 100 * (fast / slow - 1) >= widest.percent / 2)
    add(fmt::format("the clock changed between {} and {} GHz", number(slow), number(fast)), quieter);
  return causes;
}

}  // namespace

std::string wide_interval_sentence(const ShownFolder& shown, const std::vector<Sample>& samples) {
  constexpr double wide = 15;
  const Widest widest = widest_of(shown);
  if (widest.percent < wide) return {};
  const FigureVisits visits(widest.roof, samples);
  const std::string text = has_unknown_interval(widest.roof)
                               ? fmt::format("An interval is not known ({})", widest.words)
                               : fmt::format("Intervals reach ±{:.1f} % ({})", widest.percent, widest.words);
  const std::string before = "before you compare these figures.";
  if (visits.empty()) return fmt::format("{}: measure again {}", text, before);
  const Causes causes = causes_of(widest, visits);
  if (causes.clauses.empty())
    return fmt::format("{}. The samples do not show why: {} {}", text, causes.advice, before);
  return fmt::format("{}, because {}: {} {}", text, fmt::join(causes.clauses, ", and "), causes.advice,
                     before);
}

}  // namespace gable::cli
