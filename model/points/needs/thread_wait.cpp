#include "model/points/needs/thread_wait.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/function_time.hpp"
#include "model/points/verdict_words.hpp"
#include "model/records/profile.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {
namespace {

constexpr double wait_worth_telling = 0.1;

// Samples in code of OpenMP's runtime that is no known loop.
double in_rest_of_runtime(const Point& point) {
  double sum = 0;
  for (const FunctionWork& work : point.functions) sum += is_openmp_runtime(work.object) ? work.samples : 0;
  for (const auto& [file, count] : point.samples.elsewhere) sum += is_openmp_runtime(file) ? count : 0;
  for (const auto& [file, count] : point.samples.spinning) sum -= is_openmp_runtime(file) ? count : 0;
  return std::max(0.0, sum);
}

void set_spinning(const Point& point, ThreadWait& wait) {
  if (point.samples.all <= 0) return;
  double spinning = 0, most = 0;
  for (const auto& [file, count] : point.samples.spinning) {
    spinning += count;
    if (count > most) wait.where = without_folders(file);
    most = std::max(most, count);
  }
  const double all = point.samples.all, rest = in_rest_of_runtime(point);
  wait.spinning.value = std::min(1.0, spinning / all);
  wait.spinning.lo = share_interval(std::min(spinning, all), all).first;
  wait.spinning.hi = share_interval(std::min(spinning + rest, all), all).second;
}

std::string range_text(double lo, double hi) {
  const std::string from = percent_text(100 * lo), to = percent_text(100 * hi);
  return from == to ? to : fmt::format("{} to {}", from, to);
}

}  // namespace

bool is_openmp_runtime(const std::string& file) {
  const std::string name = without_folders(file);
  return name.starts_with("libgomp.so") || name.starts_with("libomp.so") || name.starts_with("libiomp5.so");
}

std::optional<ThreadWait> thread_wait(const Point& point) {
  const bool has_time = point.user_seconds + point.kernel_seconds > 0;
  if (point.threads < 2 || point.simulated || (!has_time && point.samples.all <= 0)) return std::nullopt;
  ThreadWait wait;
  wait.is_crowded = others_took_time(point) || (point.cores > 0 && point.cores < point.threads) ||
                    has(point.notes, NoteCode::cpus_stolen);
  set_spinning(point, wait);
  const double busy = others_took_time(point) ? 1 : busy_share(point);
  wait.idle = 1 - busy;
  wait.lo = busy * wait.spinning.lo;
  wait.hi = busy * wait.spinning.hi + wait.idle;
  return wait;
}

bool may_take_most(const ThreadWait& wait) {
  return wait.hi >= far_below_percent / 100;
}

std::string wait_candidate(const ThreadWait& wait) {
  return fmt::format("waiting for other threads ({})", range_text(wait.lo, wait.hi));
}

std::string wait_figures(const ThreadWait& wait) {
  std::vector<std::string> texts;
  if (wait.spinning.hi >= wait_worth_telling) {
    const std::string where =
        wait.where.empty()
            ? "in the OpenMP library, whose loops wait for other threads"
            : fmt::format("in loops that wait for other threads, at barriers and locks (most in {})",
                          wait.where);
    texts.push_back(
        fmt::format("spend {} of their CPU time {}", range_text(wait.spinning.lo, wait.spinning.hi), where));
  }
  if (wait.idle >= wait_worth_telling)
    texts.push_back(
        fmt::format("did not run for {} of the time (serial parts, barriers and locks, input and output)",
                    percent_text(100 * wait.idle)));
  return "its threads " + joined(texts, [](const auto& text) { return text; });
}

std::string wait_advice(const ThreadWait& wait) {
  return wait.is_crowded
             ? "run as many threads as there are free CPUs, since all wait for the one that has none"
             : "divide the work of parallel parts more evenly, make serial parts shorter, or use fewer "
               "barriers";
}

std::string wait_remark(const Point& point) {
  const std::optional<ThreadWait> wait = thread_wait(point);
  if (!wait || std::max(wait->idle, wait->spinning.hi) < wait_worth_telling) return {};
  return fmt::format("{}: {}.", capitalized(wait_figures(*wait)), wait_advice(*wait));
}

}  // namespace gable::model
