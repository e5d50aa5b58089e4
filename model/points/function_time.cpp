#include "model/points/function_time.hpp"

#include <algorithm>

#include "model/points/binding.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/threads.hpp"
#include "model/points/verdict_words.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

// `share`, `lo` and `hi`: the need, as a part of the Point's time.
FunctionVerdict verdict_of(const TimeShare& time, const TimeShare& wall, double share, double lo, double hi) {
  constexpr double too_wide = 0.5, bound_from = bound_from_percent / 100;
  if (time.hi - time.lo > too_wide * time.value) return FunctionVerdict::few_samples;
  if (lo > at_most_of_time * wall.hi) return FunctionVerdict::contradiction;
  if (lo >= bound_from * wall.hi) return FunctionVerdict::binds;
  if (hi >= bound_from * wall.lo) return FunctionVerdict::may_bind;
  return share >= far_below_percent / 100 * wall.value ? FunctionVerdict::takes_most
                                                       : FunctionVerdict::unexplained;
}

}  // namespace

std::optional<TimeShare> time_share(const Samples& all, double samples) {
  if (all.all <= 0) return std::nullopt;
  const auto [lo, hi] = share_interval(samples, all.all);
  return TimeShare{samples / all.all, lo, hi};
}

double busy_share(const Point& point) {
  const double used = point.user_seconds + point.kernel_seconds;
  const int at_once = threads_at_once(point);
  return used > 0 && at_once > 0 ? std::min(1.0, used / (at_once * point.seconds)) : 1;
}

bool others_took_time(const Point& point) {
  constexpr double always = 0.97;
  const bool is_known = point.user_seconds + point.kernel_seconds > 0;
  return point.other_cpus > 0 && (!is_known || busy_share(point) < always);
}

// While one thread executes the function, the others wait or execute it too, so the rest of the CPU time
// needs at least its share of the time.
TimeShare wall_share(const Point& point, const TimeShare& cpu) {
  const double busy = busy_share(point), threads = std::max(1, threads_at_once(point));
  const auto alone = [&](double share) { return std::min(busy * threads * share, 1 - busy * (1 - share)); };
  return {std::min(cpu.value, alone(cpu.value)), busy * cpu.lo, alone(cpu.hi)};
}

std::optional<ExplainedTime> explained_time(const Point& point, const FunctionWork& work, double share,
                                            double lo, double hi) {
  const std::optional<TimeShare> time = time_share(point.samples, work.samples);
  if (!time) return std::nullopt;
  const TimeShare wall = wall_share(point, *time);
  return ExplainedTime{*time, wall, wall.value > 0 ? std::clamp(1 - share / wall.value, 0.0, 1.0) : 0,
                       verdict_of(*time, wall, share, lo, hi)};
}

}  // namespace gable::model
