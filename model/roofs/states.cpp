#include "model/roofs/states.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "model/roofs/visits.hpp"
#include "model/statistics/groups.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr std::size_t fewest_cases = 3;
constexpr double least_agreement = 0.9;
constexpr double most = 0.75;

struct Visit {
  const Sample* sample = nullptr;
  std::size_t when = 0;  // in the order of time
  double speed = 0;      // higher is faster
};

using Cases = std::map<std::string, std::vector<Visit>>;

// A visit to a Case whose visits fall into two groups.
struct Mark {
  std::size_t when = 0;
  const std::string* of = nullptr;
  bool is_fast = false;
};

double speed_of(const Sample& sample) {
  const double figure = quantile(repetitions_of(sample), quantile_of(sample.asked));
  return is_latency(sample.asked) ? 1 / figure : figure;
}

std::map<int, Cases> cases_by_cluster(const std::vector<Sample>& samples) {
  std::vector<const Sample*> visits;
  for (const Sample& sample : samples)
    if (sample.status == Status::ok && !sample.seconds.empty()) visits.push_back(&sample);
  std::ranges::stable_sort(visits, {}, [](const Sample* visit) { return visit->started; });
  std::map<int, Cases> clusters;
  for (std::size_t when = 0; when < visits.size(); ++when) {
    const Sample& visit = *visits[when];
    clusters[visit.asked.cluster][key(visit.asked)].push_back({&visit, when, speed_of(visit)});
  }
  return clusters;
}

std::vector<Mark> marks_of(const Cases& cases) {
  std::vector<Mark> marks;
  std::size_t found = 0;
  for (const auto& [of, visits] : cases) {
    std::vector<double> speeds;
    for (const Visit& visit : visits) speeds.push_back(visit.speed);
    const std::optional<double> fast = upper_group(speeds);
    if (!fast) continue;
    ++found;
    for (const Visit& visit : visits) marks.push_back({visit.when, &of, visit.speed >= *fast});
  }
  if (found < fewest_cases) return {};
  std::ranges::sort(marks, {}, &Mark::when);
  return marks;
}

bool agree(const std::vector<Mark>& marks) {
  int pairs = 0, equal = 0;
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (marks[i].of == marks[i - 1].of) continue;
    ++pairs;
    if (marks[i].is_fast == marks[i - 1].is_fast) ++equal;
  }
  return pairs > 0 && equal >= least_agreement * pairs;
}

// Drops marks that contradict both of their neighbours.
std::vector<Mark> without_strays(const std::vector<Mark>& marks) {
  std::vector<Mark> kept;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const bool inside = i > 0 && i + 1 < marks.size();
    if (inside && marks[i].is_fast != marks[i - 1].is_fast && marks[i].is_fast != marks[i + 1].is_fast)
      continue;
    kept.push_back(marks[i]);
  }
  return kept;
}

// Whether the machine was in the fast state at this visit; nothing if that is not known.
std::optional<bool> is_fast(const std::vector<Mark>& marks, std::size_t when) {
  const auto after = std::ranges::lower_bound(marks, when, {}, &Mark::when);
  if (after == marks.end()) return std::nullopt;
  if (after->when == when) return after->is_fast;
  if (after == marks.begin() || after->is_fast != (after - 1)->is_fast) return std::nullopt;
  return after->is_fast;
}

// How many Cases were visited in the fast state, or in the slow one.
std::size_t visited(const Cases& cases, const std::vector<Mark>& marks, bool fast) {
  return static_cast<std::size_t>(std::ranges::count_if(cases, [&](const auto& one) {
    return std::ranges::any_of(one.second,
                               [&](const Visit& visit) { return is_fast(marks, visit.when) == fast; });
  }));
}

}  // namespace

States find_states(const std::vector<Sample>& samples) {
  States states;
  for (const auto& [cluster, cases] : cases_by_cluster(samples)) {
    const std::vector<Mark> all_marks = marks_of(cases);
    if (!agree(all_marks)) continue;
    const std::vector<Mark> marks = without_strays(all_marks);
    const std::size_t fast = visited(cases, marks, true);
    const bool faster = static_cast<double>(fast) >= most * static_cast<double>(cases.size()) ||
                        fast >= visited(cases, marks, false);
    states.faster[cluster] = faster;
    for (const auto& [unused, visits] : cases)
      for (const Visit& visit : visits)
        if (const auto fast_then = is_fast(marks, visit.when))
          states.reported[visit.sample] = *fast_then == faster;
  }
  return states;
}

}  // namespace gable::model
