#include "bench/schedule/race.hpp"

#include <algorithm>

#include "model/records/question.hpp"

namespace gable::bench {

namespace {

constexpr double clearly = 0.97;
constexpr double tolerance = 1.01;

// The rates of the visits to a Case, ascending.
std::vector<double> rates_of(const std::string& case_key, const Done& done) {
  std::vector<double> rates;
  for (auto it = done.lower_bound({case_key, 0}); it != done.end() && it->first.first == case_key; ++it)
    rates.push_back(it->second);
  std::ranges::sort(rates);
  return rates;
}

double middle_of(const std::vector<double>& rates) {
  return (rates[(rates.size() - 1) / 2] + rates[rates.size() / 2]) / 2;
}

// The rate that three of four visits exceed; the slowest of up to four. A machine may have two speeds that
// last for many visits, so a median of two visits may be one that the machine never has.
double lower_quartile_of(const std::vector<double>& rates) {
  return rates[(rates.size() - 1) / 4];
}

// The rates of all Cases of the run together, from slow to fast.
std::vector<double> rates_of(const Run& run, const Done& done) {
  std::vector<double> sums = rates_of(key(run.cases.front()), done);
  for (std::size_t i = 1; i < run.cases.size(); ++i) {
    const std::vector<double> more = rates_of(key(run.cases[i]), done);
    sums.resize(std::min(sums.size(), more.size()));
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += more[j];
  }
  return sums;
}

bool loses(const Run& run, const Run& rival, const Done& done) {
  for (const model::Case& mine : run.cases) {
    const auto theirs = std::ranges::find(rival.cases, mine.cluster, &model::Case::cluster);
    if (theirs == rival.cases.end()) return false;
    const std::vector<double> slow = rates_of(key(mine), done), fast = rates_of(key(*theirs), done);
    if (slow.size() < racing_rounds || fast.size() < racing_rounds) return false;
    if (slow.back() >= clearly * lower_quartile_of(fast)) return false;
  }
  return true;
}

}  // namespace

std::string race_of(const model::Case& spec) {
  if (!races(spec.kind) || !makes_roof(spec.pattern)) return "";
  model::Case question = model::question_of(spec);
  question.op = without_prefetch(question.op);
  return key(question);
}

Race::Race(const Plan& plan) {
  for (const Run& run : plan.runs) {
    if (!run.skip.empty()) continue;
    if (!run.race.empty()) rivals_[run.race].push_back(&run);
    for (const std::string& subject : run.subjects) {
      if (!run.twin.empty()) spots_[subject].emplace_back(&run, nullptr);
    }
  }
  if (spots_.empty()) return;
  std::map<std::string, const Run*> by_key;
  for (const Run& run : plan.runs) by_key[key(run.cases.front())] = &run;
  for (auto& [subject, spots] : spots_) {
    for (auto& [spot, twin] : spots) {
      const auto found = by_key.find(spot->twin);
      if (found != by_key.end()) twin = found->second;
    }
    std::erase_if(spots, [](const auto& pair) { return pair.second == nullptr; });  // left out by --only
  }
}

bool Race::is_lost(const Run& run, const Done& done) const {
  const auto rivals = rivals_.find(run.race);  // none if the plan skipped the run
  if (rivals == rivals_.end()) return false;
  return std::ranges::any_of(rivals->second,
                             [&](const Run* rival) { return rival != &run && loses(run, *rival, done); });
}

Race::SpotsShow Race::spots_show(const std::string& subject, const Done& done) const {
  SpotsShow shown;
  const auto spots = spots_.find(subject);
  if (done.empty() || spots == spots_.end()) return shown;
  for (const auto& [spot, twin] : spots->second) {
    const std::vector<double> here = rates_of(*spot, done), there = rates_of(*twin, done);
    if (here.size() < racing_rounds) continue;
    if (there.empty()) shown.here_alone = true;
    if (there.size() < racing_rounds) continue;
    shown.compared = true;
    if (here.front() > there.back() * tolerance * tolerance ||
        there.front() > here.back() * tolerance * tolerance)
      shown.differ = true;
  }
  return shown;
}

Race::SpotsShow Race::all_spots_show(const Run& reserve, const Done& done) const {
  if (done.size() != shown_at_) shown_.clear();
  shown_at_ = done.size();
  SpotsShow all;
  for (const std::string& subject : reserve.subjects) {
    const auto [known, is_new] = shown_.try_emplace(subject);
    if (is_new) known->second = spots_show(subject, done);
    all.compared = all.compared || known->second.compared;
    all.differ = all.differ || known->second.differ;
    all.here_alone = all.here_alone || known->second.here_alone;
  }
  return all;
}

bool Race::is_needed(const Run& reserve, const Done& done) const {
  const SpotsShow shown = all_spots_show(reserve, done);
  return shown.differ || (shown.here_alone && !shown.compared);
}

bool Race::is_compared(const Run& reserve, const Done& done) const {
  return all_spots_show(reserve, done).compared;
}

double Race::spread(const Run& run, const Done& done) {
  double widest = 0;
  for (const model::Case& spec : run.cases) {
    const std::vector<double> rates = rates_of(key(spec), done);
    if (rates.size() > 1) widest = std::max(widest, (rates.back() - rates.front()) / middle_of(rates));
  }
  return widest;
}

}  // namespace gable::bench
