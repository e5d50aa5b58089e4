#pragma once

// The measured time of a Point's functions, and what explains it.

#include <optional>
#include <span>

#include "model/domain/table.hpp"
#include "model/records/point.hpp"

namespace gable::model {

/// A share of the CPU time of a Point, with its 95 % interval (of a binomial distribution, by Wilson).
struct TimeShare {
  double value = 0, lo = 0, hi = 0;
};

/// The share that `samples` have of all samples of a Point; nothing if it has none.
std::optional<TimeShare> time_share(const Samples& all, double samples);

/// CPU time of the Point relative to the time that its threads (or cores, if they are fewer) had, at most 1;
/// 1: not known.
double busy_share(const Point& point);

/// Whether other programs or guests may have taken time from its threads: they had CPUs, and its own threads
/// did not run all the time, or it is not known whether they did.
bool others_took_time(const Point& point);

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

/// The measured time of a function, and how far its largest need explains it.
struct ExplainedTime {
  TimeShare time;
  TimeShare wall;      ///< wall_share() of it
  double remains = 0;  ///< part of `wall`, 0 to 1, that the need does not take
  FunctionVerdict verdict = FunctionVerdict::unknown;
};

/// The time of the function `work`. `share`, `lo` and `hi`: its largest need, as a part of the Point's time.
/// If the interval of the function's time is wider than half of the time, there are too few samples for a
/// verdict. Nothing if the Point has no samples.
std::optional<ExplainedTime> explained_time(const Point& point, const FunctionWork& work, double share,
                                            double lo, double hi);

}  // namespace gable::model
