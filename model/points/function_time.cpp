#include "model/points/function_time.hpp"

#include <algorithm>

#include "model/points/binding.hpp"
#include "model/points/cause.hpp"
#include "model/points/needs/words.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

FunctionVerdict verdict_of(const TimeShare& time, double busy, double share, double lo, double hi) {
  constexpr double too_wide = 0.5, bound_from = bound_from_percent / 100;
  if (time.hi - time.lo > too_wide * time.value) return FunctionVerdict::few_samples;
  if (lo > at_most_of_time * busy * time.hi) return FunctionVerdict::contradiction;
  if (lo >= bound_from * busy * time.hi) return FunctionVerdict::binds;
  if (hi >= bound_from * busy * time.lo) return FunctionVerdict::may_bind;
  return share >= far_below_percent / 100 * busy * time.value ? FunctionVerdict::takes_most
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
  const int at_once = point.cores > 0 ? point.cores : point.threads;
  return used > 0 && at_once > 0 ? std::min(1.0, used / (at_once * point.seconds)) : 1;
}

std::optional<ExplainedTime> explained_time(const Point& point, const FunctionWork& work, double share,
                                            double lo, double hi) {
  const std::optional<TimeShare> time = time_share(point.samples, work.samples);
  if (!time) return std::nullopt;
  const double busy = busy_share(point), all = busy * time->value;
  return ExplainedTime{*time, all > 0 ? std::clamp(1 - share / all, 0.0, 1.0) : 0,
                       verdict_of(*time, busy, share, lo, hi)};
}

}  // namespace gable::model
