#pragma once

// The measured time of a Point's functions, and what explains it.

#include <optional>
#include <span>
#include <string>

#include "model/domain/table.hpp"
#include "model/records/records.hpp"

namespace gable::model {

/// A share of the CPU time of a Point, with its 95 % interval (of a binomial distribution, by Wilson).
struct TimeShare {
  double value = 0, lo = 0, hi = 0;
};

/// The share of `samples` of the Point's; nothing without samples.
std::optional<TimeShare> time_share(const Samples& all, double samples);

/// The part of the time in which the threads ran, of the time in which they could: 1 if it is not known.
double busy_share(const Point& point);

/// The part of the Point's time in which threads execute a function that has this share of the CPU time. If
/// threads wait (busy_share() below 1), the interval covers threads that all execute it at once, and one
/// thread at a time; the value is for threads that wait as long in every function.
TimeShare wall_share(const Point& point, const TimeShare& cpu);

/// What the largest need of a function explains of its measured time.
enum class FunctionVerdict { unknown, few_samples, binds, may_bind, takes_most, unexplained, contradiction };

struct FunctionVerdictRow {
  FunctionVerdict value;
  std::string_view name;
  std::string_view words;
};
inline constexpr FunctionVerdictRow function_verdict_rows[] = {
    {FunctionVerdict::unknown, "unknown", "not measured"},
    {FunctionVerdict::few_samples, "few_samples", "too few samples"},
    {FunctionVerdict::binds, "binds", "binds"},
    {FunctionVerdict::may_bind, "may_bind", "may bind"},
    {FunctionVerdict::takes_most, "takes_most", "takes most"},
    {FunctionVerdict::unexplained, "unexplained", "does not bind"},
    {FunctionVerdict::contradiction, "contradiction", "more than it took"},
};
static_assert(is_in_order(function_verdict_rows));
constexpr std::span<const FunctionVerdictRow> table(FunctionVerdict) {
  return function_verdict_rows;
}

/// A need of a function beside its measured time, as parts of the time of the Point.
struct ExplainedTime {
  TimeShare time;
  TimeShare wall;      ///< wall_share() of it
  double remains = 0;  ///< part of `wall` that the need does not take: overlap, latency, the core
  FunctionVerdict verdict = FunctionVerdict::unknown;
};

/// `share`, `lo` and `hi`: the need, as a part of the Point's time. A share of the CPU time with an interval
/// of more than half of itself has too few samples. Nothing if the Point has no samples.
std::optional<ExplainedTime> explained_time(const Point& point, const FunctionWork& work, double share,
                                            double lo, double hi);

}  // namespace gable::model
