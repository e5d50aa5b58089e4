#include "bench/visit/campaign.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "base/clocks.hpp"
#include "bench/schedule/costs.hpp"
#include "bench/schedule/race.hpp"
#include "bench/visit/at_once_visit.hpp"

namespace gable::bench {

namespace {

constexpr double most_overtime =
    1.1;  // limit for repeating disturbed visits, relative to the time of all first visits

constexpr double narrow_enough = 0.01;

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
    for (const model::Case& spec : visit.run->cases) {
      if (!is_open(spec, 0, done)) continue;
      model::Sample sample;
      sample.spec = spec;
      sample.status = model::Status::skipped;
      sample.reason = visit.run->skip.empty() ? model::NoteCode::budget_used : visit.run->skip;
      count(sample, outcome);
      hooks.record(sample);
    }
  }
}

class Campaign {
 public:
  Campaign(const machines::Machine& machine, const machines::Host& host, const Plan& plan,
           const Options& options, Done done, const Hooks& hooks, const std::atomic<bool>& stop)
      : plan_(plan),
        options_(options),
        done_(std::move(done)),
        hooks_(hooks),
        stop_(stop),
        race_(plan),
        bench_(machine, host, options, hooks.half_width, stop),
        at_once_(
            [this](const Run& run, int round) {
              return hooks_.visit ? hooks_.visit(run, round) : bench_.visit(run, round);
            },
            !host.emulated) {
    if (options.budget_seconds > 0) bench_.end_by(begin_ + options.budget_seconds);
  }

  Outcome go() {
    work_through(open_visits(plan_, done_));
    work_through(needed_reserves());
    overtime_ends_ = most_overtime * elapsed();
    const std::vector<OpenVisit> again = std::exchange(spoilt_, {});
    repeating_ = true;
    work_through(again);
    repeating_ = false;
    work_through(needed_reserves());  // of spots that had to be repeated
    narrow();
    record_left_out();
    outcome_.interrupted = stop_;
    outcome_.seconds = elapsed();
    return outcome_;
  }

 private:
  double elapsed() const { return monotonic_seconds() - begin_; }

  bool over() const { return stop_ || outcome_.out_of_budget || (repeating_ && elapsed() > overtime_ends_); }

  void work_through(const std::vector<OpenVisit>& visits) {
    if (over()) return;
    expect(visits);
    report(nullptr);
    for (std::size_t i = 0; i < visits.size() && !over(); ++i) {
      const Run& run = *visits[i].run;
      const double cost = expected_.at(next_);
      if (!repeating_ && visits[i].round >= racing_rounds && race_.is_lost(run, done_)) {
        saved_ += cost;
      } else if (options_.budget_seconds > 0 && elapsed() + run.visit_seconds > options_.budget_seconds) {
        outcome_.out_of_budget = true;
        if (!repeating_)
          record_unvisited({visits.begin() + static_cast<std::ptrdiff_t>(i), visits.end()}, done_, hooks_,
                           outcome_);
        return;
      } else {
        visit(visits[i]);
        spent_on_ += cost;
      }
      left_ -= cost;
      ++next_;
    }
    next_ = expected_.size();  // what is too late to be repeated is not left to do
  }

  // Adds the visits to what is left to do.
  void expect(const std::vector<OpenVisit>& visits) {
    for (const OpenVisit& visit : visits) {
      expected_.push_back(visit.run->skip.empty() ? costs_.next(*visit.run).total() : 0);
      left_ += expected_.back();
    }
  }

  void visit(const OpenVisit& visit) {
    bool spoilt = false;
    for (model::Sample& sample : at_once_.visit(*visit.run, visit.round)) {
      if (stop_) break;
      if (!is_open(sample.spec, sample.round, done_)) continue;
      if (!visit.run->twin.empty()) sample.notes.push_back({model::NoteCode::spot_of, {visit.run->like}});
      spoilt = spoilt || sample.status == model::Status::invalid;
      count(sample, outcome_);
      hooks_.record(sample);
      if (sample.status == model::Status::ok)
        done_[{model::key(sample.spec), sample.round}] = visit_rate(sample);
      report(&sample);
    }
    if (spoilt && !repeating_) spoilt_.push_back(visit);
  }

  std::vector<OpenVisit> needed_reserves() {
    if (over()) return {};
    std::vector<OpenVisit> visits = open_visits(plan_, done_);
    std::erase_if(visits, [](const OpenVisit& visit) { return !visit.run->reserve; });
    return visits;
  }

  // Further rounds, at most as many as planned, for the figures whose visits spread the most.
  void narrow() {
    std::vector<std::pair<double, const Run*>> wide;
    for (const Run& run : plan_.runs) {
      if (saved_ <= 0 || run.race.empty() || run.reserve || race_.is_lost(run, done_)) continue;
      if (const double spread = Race::spread(run, done_); spread > narrow_enough)
        wide.emplace_back(spread, &run);
    }
    std::ranges::sort(wide, std::greater<>());
    std::vector<OpenVisit> visits;
    for (int round = 0; saved_ > 0 && round < plan_.rounds; ++round) {
      for (const auto& [spread, run] : wide) {
        if (round >= run->rounds || (saved_ -= run->visit_seconds) < 0) continue;
        visits.push_back({run, run->rounds + round});
      }
    }
    repeating_ = true;
    overtime_ends_ = std::numeric_limits<double>::max();
    work_through(visits);
  }

  // Cells of like subjects whose spots do not differ.
  void record_left_out() {
    if (over()) return;
    for (const Run& run : plan_.runs) {
      if (!run.reserve || race_.is_needed(run, done_)) continue;
      const bool compared = race_.is_compared(run, done_);
      for (const model::Case& spec : run.cases) {
        if (!is_open(spec, 0, done_)) continue;
        model::Sample sample;
        sample.spec = spec;
        sample.status = model::Status::skipped;
        if (compared) {
          const bool has_spots = run.subjects.size() == 1;
          sample.reason = {has_spots ? model::NoteCode::like_spots : model::NoteCode::like_rows, {run.like}};
          ++outcome_.left_out;
        } else {
          sample.reason = {model::NoteCode::like_unknown, {run.like}};
          ++outcome_.skipped;
        }
        hooks_.record(sample);
      }
    }
  }

  void report(const model::Sample* last) {
    const double factor = spent_on_ > 1 ? elapsed() / spent_on_ : 1;
    const double left = std::max(0.0, left_ * factor);
    const double budget = options_.budget_seconds;
    hooks_.progress({static_cast<int>(next_), static_cast<int>(expected_.size()),
                     budget > 0 ? std::clamp(budget - elapsed(), 0.0, left) : left, last});
  }

  const double begin_ = monotonic_seconds();
  const Plan& plan_;
  const Options& options_;
  Done done_;
  const Hooks& hooks_;
  const std::atomic<bool>& stop_;
  const Race race_;
  Bench bench_;
  AtOnce at_once_;
  Costs costs_;
  Outcome outcome_;
  std::vector<OpenVisit> spoilt_;
  std::vector<double> expected_;                // seconds, of all visits so far and to come
  std::size_t next_ = 0;                        // of these
  double left_ = 0, spent_on_ = 0, saved_ = 0;  // expected seconds
  bool repeating_ = false;
  double overtime_ends_ = 0;
};

}  // namespace

Outcome run_campaign(const machines::Machine& machine, const machines::Host& host, const Plan& plan,
                     const Options& options, Done done, const Hooks& hooks, const std::atomic<bool>& stop) {
  return Campaign(machine, host, plan, options, std::move(done), hooks, stop).go();
}

}  // namespace gable::bench
