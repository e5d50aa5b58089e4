#include "bench/visit/campaign.hpp"

#include <chrono>

namespace gable::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double most_overtime =
    1.1;  // limit for repeating disturbed visits, relative to the time of all first visits

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Expected and actual time, to predict the remaining time.
class Pace {
 public:
  void add(const Run& run) { expected_left_ += run.seconds; }
  void passed(const Run& run, double elapsed) {
    expected_done_ += run.seconds;
    expected_left_ -= run.seconds;
    elapsed_ = elapsed;
  }
  double left(double budget) const {
    const double factor = expected_done_ > 1 ? elapsed_ / expected_done_ : 1;
    const double left = std::max(0.0, expected_left_ * factor);
    return budget > 0 ? std::clamp(budget - elapsed_, 0.0, left) : left;
  }

 private:
  double expected_left_ = 0, expected_done_ = 0, elapsed_ = 0;
};

void count(const model::Sample& sample, Outcome& outcome) {
  switch (sample.status) {
    case model::Status::ok:
      ++outcome.measured;
      break;
    case model::Status::invalid:
      ++outcome.invalid;
      break;
    case model::Status::skipped:
      ++outcome.skipped;
      break;
  }
}

// Records Cases that no round has reached.
void record_unvisited(const std::vector<OpenVisit>& rest, const Done& done, const Hooks& hooks,
                      Outcome& outcome) {
  for (const OpenVisit& visit : rest) {
    if (visit.round > 0) continue;
    for (const model::Case& asked : visit.run->cases) {
      if (!is_open(asked, 0, done)) continue;
      model::Sample sample;
      sample.asked = asked;
      sample.status = model::Status::skipped;
      sample.reason = visit.run->skip.empty() ? "the time budget ran out first" : visit.run->skip;
      count(sample, outcome);
      hooks.record(sample);
    }
  }
}

}  // namespace

Outcome run_campaign(const machines::Machine& machine, const machines::Host& host, const Plan& plan,
                     const Options& options, Done done, const Hooks& hooks, const std::atomic<bool>& stop) {
  const Clock::time_point begin = Clock::now();
  std::vector<OpenVisit> visits = open_visits(plan, done);
  Bench bench(machine, host, options, hooks.half_width, stop);
  const std::size_t first_visits = visits.size();  // disturbed visits are repeated once at the end
  Pace pace;
  for (const OpenVisit& visit : visits) pace.add(*visit.run);
  Outcome outcome;
  std::size_t next = 0;
  double overtime_ends = 0;
  const auto report = [&](const model::Sample* last) {
    hooks.progress(
        {static_cast<int>(next), static_cast<int>(visits.size()), pace.left(options.budget_seconds), last});
  };
  report(nullptr);
  for (; next < visits.size() && !stop; ++next) {
    const Run& run = *visits[next].run;
    if (next == first_visits) overtime_ends = most_overtime * since(begin);
    if (next >= first_visits && since(begin) > overtime_ends) break;
    if (options.budget_seconds > 0 && since(begin) + run.seconds > options.budget_seconds) {
      outcome.out_of_budget = true;
      break;
    }
    bool spoilt = false;
    for (const model::Sample& sample : bench.visit(run, visits[next].round)) {
      if (stop) break;
      if (!is_open(sample.asked, sample.round, done)) continue;
      spoilt = spoilt || sample.status == model::Status::invalid;
      count(sample, outcome);
      hooks.record(sample);
      if (sample.status == model::Status::ok) done.insert({model::key(sample.asked), sample.round});
      report(&sample);
    }
    pace.passed(run, since(begin));
    if (spoilt && next < first_visits) {
      visits.push_back(visits[next]);
      pace.add(run);
    }
  }
  outcome.interrupted = stop;
  if (outcome.out_of_budget && next < first_visits) {
    record_unvisited({visits.begin() + static_cast<std::ptrdiff_t>(next),
                      visits.begin() + static_cast<std::ptrdiff_t>(first_visits)},
                     done, hooks, outcome);
  }
  outcome.seconds = since(begin);
  return outcome;
}

}  // namespace gable::bench
