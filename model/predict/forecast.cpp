#include "model/predict/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "model/points/threads.hpp"
#include "model/predict/calibration.hpp"
#include "model/predict/possible.hpp"
#include "model/predict/possible_times.hpp"
#include "model/predict/remarks.hpp"
#include "model/predict/shares.hpp"

namespace gable::model {
namespace {

constexpr PredictParameters parameters;

bool is_interleaved(const Point& point) {
  return point.policy.starts_with("interleave") || point.policy.starts_with("weighted");
}

class Forecaster {
 public:
  Forecaster(const Program& program, const Setting& there, const TimedSetting* here)
      : there_(there),
        here_(here == nullptr ? nullptr : &here->setting),
        has_more_threads_(program.threads > 0 && there.like.threads > program.threads),
        possible_(possible_needs(program, there, here)),
        times_(there, here_, here == nullptr ? 1 : core_speed(program, here->setting, there), has_peaks()) {}

  Forecast take() {
    out_.missing = possible_.missing;
    refuse();
    if (out_.status != Status::ok) return std::move(out_);
    predict_range();
    if (here_ != nullptr) out_.change_percent = 100 * largest_change();
    add_width();
    list_shares();
    if (here_ != nullptr) {
      const Point& point = here_->like;
      out_.ratio = out_.seconds / point.seconds;
      out_.ratio_lo = out_.lo / point.seconds;
      out_.ratio_hi = out_.hi / point.seconds;
      out_.explained_percent = 100 * calibrated(first().before, point, RoofEnd::value).explained;
      out_.notes = remarks_on(*here_, there_, out_.explained_percent);
    }
    if (const std::string note = remark_on_mix(there_); !note.empty()) out_.notes.push_back(note);
    return std::move(out_);
  }

 private:
  const NeedsPair& first() const { return possible_.pairs.front(); }

  bool has_peaks() const { return !has(possible_.missing, NoteCode::missing_peaks); }

  void refuse() {
    std::string reason = possible_.refusal;
    if (reason.empty() && here_ == nullptr && !has_peaks())
      reason = "it has no peaks, and the program was timed nowhere";
    if (reason.empty()) return;
    out_.status = Status::skipped;
    out_.reason = reason;
  }

  void predict_range() {
    std::vector<double> all, likely, fast, slow;
    for (const NeedsPair& pair : possible_.pairs) {
      if (pair.claimed) continue;
      const std::vector<double> found = times_.of(pair, RoofEnd::value, RoofEnd::value);
      all.insert(all.end(), found.begin(), found.end());
      if (pair.likely)
        likely.insert(likely.end(), found.begin(), here_ == nullptr ? found.begin() + 1 : found.end());
      if (pair.roofs == Estimated::fast) fast.push_back(times_.likely(found));
      if (pair.roofs == Estimated::slow) slow.push_back(times_.likely(found));
    }
    const auto [least, most] = std::ranges::minmax(all);
    out_.seconds = middle_of(likely);
    out_.lo = least;
    out_.hi = most;
    if (!fast.empty() && !slow.empty())
      out_.missing_percent = 100 * (std::sqrt(std::ranges::max(slow) / std::ranges::min(fast)) - 1);
  }

  void add_doubt(const std::string& what, double time, double slow, double fast) {
    out_.doubts.push_back({what, std::log(slow / time), std::log(time / fast)});
  }

  // The pair that is the most likely one if the program does this work, for each work.
  std::vector<const NeedsPair*> by_work() const {
    std::vector<const NeedsPair*> pairs;
    for (const NeedsPair& pair : possible_.pairs) {
      if (std::ranges::find(pairs, pair.work, [](const NeedsPair* known) { return known->work; }) ==
          pairs.end())
        pairs.push_back(&pair);
    }
    return pairs;
  }

  // Adds how far the time is from that with these ends of the roofs (here and there), where that is farthest.
  using Ends = std::pair<RoofEnd, RoofEnd>;
  void add_doubt_of_roofs(const std::string& what, const std::vector<Ends>& ends) {
    Forecast::Doubt doubt{what, 0, 0};
    for (const NeedsPair* pair : by_work()) {
      const double time = times_.likely(times_.of(*pair, RoofEnd::value, RoofEnd::value));
      for (const auto& [here, there] : ends) {
        const double other = times_.likely(times_.of(*pair, here, there));
        if (time <= 0 || other <= 0) continue;
        doubt.up = std::max(doubt.up, std::log(other / time));
        doubt.down = std::max(doubt.down, std::log(time / other));
      }
    }
    out_.doubts.push_back(doubt);
  }

  // How far the range of possible times extends if waiting overlaps as little and as much as it can.
  void add_doubt_of_overlap() {
    double least = out_.lo, most = out_.hi;
    for (const NeedsPair& pair : possible_.pairs) {
      if (pair.claimed) continue;
      for (const RoofEnd end : {RoofEnd::alone, RoofEnd::overlapped}) {
        const auto [fast, slow] = std::ranges::minmax(times_.of(pair, end, end));
        if (fast > 0) least = std::min(least, fast);
        most = std::max(most, slow);
      }
    }
    out_.doubts.push_back({"how far waiting overlaps", std::log(most / out_.hi), std::log(out_.lo / least)});
  }

  void add_width() {
    const double time = times_.likely(times_.of(first(), RoofEnd::value, RoofEnd::value));
    add_doubt("what is not known", out_.seconds, out_.hi, out_.lo);
    double slowest = time, fastest = time;  // with caches of the claimed sizes
    for (const NeedsPair& pair : possible_.pairs) {
      if (!pair.claimed || pair.work != 0) continue;
      const double claimed = times_.likely(times_.of(pair, RoofEnd::value, RoofEnd::value));
      slowest = std::max(slowest, claimed);
      fastest = std::min(fastest, claimed);
    }
    add_doubt("sizes of caches", time, slowest, fastest);
    add_doubt_of_overlap();
    out_.doubts.push_back(doubt_of_model());
    const bool stays = here_ != nullptr && here_->machine == there_.machine;
    if (stays) {  // an error of a roof is the same before and after
      add_doubt_of_roofs("roofs", {{RoofEnd::slow, RoofEnd::slow}, {RoofEnd::fast, RoofEnd::fast}});
    } else {
      add_doubt_of_roofs("roofs", {{RoofEnd::value, RoofEnd::slow}, {RoofEnd::value, RoofEnd::fast}});
    }
    if (here_ != nullptr) {
      if (!stays)
        add_doubt_of_roofs("roofs here", {{RoofEnd::fast, RoofEnd::value}, {RoofEnd::slow, RoofEnd::value}});
      const Point& point = here_->like;
      add_doubt("the time here", point.seconds, std::max(point.seconds, point.seconds_hi),
                point.seconds_lo > 0 ? std::min(point.seconds, point.seconds_lo) : point.seconds);
    }
    double up = 0, down = 0;
    for (const Forecast::Doubt& doubt : out_.doubts | std::views::drop(1)) {
      up = std::hypot(up, doubt.up);
      down = std::hypot(down, doubt.down);
    }
    out_.lo *= std::exp(-down);
    out_.hi *= std::exp(up);
  }

  // The model has no error for the same run. With more threads, a program tends to take longer than
  // predicted, because they wait for each other, and with fewer threads it tends to take less time.
  Forecast::Doubt doubt_of_model() const {
    const char* const what = "the model";
    if (here_ == nullptr) {  // the profile lacks lines that more threads would take from each other
      const double more = has_more_threads_ ? parameters.spread_of_threads : 0;
      return {what, std::hypot(parameters.longer_than_profile, more), parameters.shorter_than_profile};
    }
    const Point &before = here_->like, &after = there_.like;
    const bool elsewhere = here_->machine != there_.machine;
    const bool same = !elsewhere && before.threads == after.threads && before.cluster == after.cluster &&
                      before.cores == after.cores && before.huge_pages_percent == after.huge_pages_percent &&
                      lie_alike(before, after) && object_nodes(*here_) == object_nodes(there_);
    if (same) return {what, 0, 0};
    const double spread = std::hypot(elsewhere ? parameters.spread_elsewhere : parameters.spread_of_time,
                                     parameters.per_change * out_.change_percent / 100);
    const double waiting = std::hypot(spread, parameters.spread_of_threads);
    return {what, after.threads > before.threads ? waiting : spread,
            after.threads < before.threads ? waiting : spread};
  }

  // The largest change of the share of the time that a need takes by itself. If no share changes, the time
  // changes as all needs do, however they overlap.
  double largest_change() const {
    std::map<std::string, double> change;
    for (const auto& [unit, seconds] : unit_times_of(first().after))
      change[unit] += std::min(1.0, seconds / out_.seconds);
    for (const auto& [unit, seconds] : unit_times_of(first().before))
      change[unit] -= std::min(1.0, seconds / here_->like.seconds);
    double largest = 0;
    for (const auto& [unit, of_share] : change) largest = std::max(largest, std::abs(of_share));
    return largest;
  }

  void list_shares() {
    const std::vector<PartNeeds>& parts = first().after;
    ForecastShares shares;
    if (here_ == nullptr) {
      shares = parts_of_time(parts, out_.seconds);
    } else {
      shares = parts_of_time(parts, out_.seconds, times_.calibration(first()),
                             middle_of(times_.core_ratios(first())));
    }
    out_.binds = std::move(shares.binds);
    out_.functions = std::move(shares.functions);
    out_.parts = parts;
  }

  const Setting& there_;
  const Setting* here_;
  bool has_more_threads_;  // than the profile
  PossibleNeeds possible_;
  PossibleTimes times_;
  Forecast out_;
};

}  // namespace

bool lie_alike(const Point& a, const Point& b) {
  const std::map<int, double> of_a = node_shares(a), of_b = node_shares(b);
  const auto near = [](const auto& one, const auto& other) {
    constexpr double nearly = 0.02;
    return one.first == other.first && std::abs(one.second - other.second) <= nearly;
  };
  if (!std::ranges::equal(of_a, of_b, near)) return false;
  return a.alone || of_a.size() <= 1 || is_interleaved(a) == is_interleaved(b);
}

std::vector<Forecast> forecasts(const Program& program, const std::vector<const Setting*>& there,
                                const Setting* here) {
  std::optional<TimedSetting> timed;
  if (here != nullptr) timed.emplace(TimedSetting{*here, needs_in(program, *here, here)});
  std::vector<Forecast> all;
  for (const Setting* setting : there)
    all.push_back(Forecaster(program, *setting, timed ? &*timed : nullptr).take());
  return all;
}

}  // namespace gable::model
