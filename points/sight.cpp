#include "points/sight.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/words.hpp"

namespace gable::points {

namespace {

// How far the kernel's count of resident pages may be off: each CPU keeps a part of it for itself, of data
// and of pages of files (percpu_counter_batch).
double count_error(int threads) {
  const auto cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const int batch = std::max(32, 2 * cpus), kept = std::min(threads + 1, cpus);
  constexpr int counters = 2;
  return static_cast<double>(counters) * batch * kept * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

bool are_threads_known(const Sight& sight, const Ending& ending) {
  constexpr int several = 3;
  constexpr double all = 1.1;  // the times are not measured at once
  const double cpu_seconds = ending.usage.user_seconds + ending.usage.kernel_seconds;
  return sight.looks >= several && cpu_seconds <= all * sight.workers * ending.seconds;
}

std::string too_little_seen(const Sight& sight, const Ending& ending) {
  constexpr double longest_share = 0.2;
  constexpr double nearly_all = 0.85;  // four fifths, and somewhat more because the kernel's count errs
  const Peak& peak = ending.peak;
  const auto data = static_cast<double>(sight.data_bytes);
  // The peak includes code, and no hugetlb pages.
  const double most = static_cast<double>(peak.bytes) - static_cast<double>(sight.code_bytes) +
                      static_cast<double>(sight.pool_bytes);
  const double error = count_error(sight.threads);
  const bool saw_peak = peak.bytes > 0 && data >= nearly_all * (most + error);
  // The peak is one process's. What several have together, and hugetlb pages, are in no peak.
  if (saw_peak && sight.processes == 1 && !sight.has_pool) return {};
  const bool is_own =
      !sight.is_managed && static_cast<double>(peak.bytes) > static_cast<double>(peak.copy_bytes) + 2 * error;
  if (is_own && data < nearly_all * most) {
    return fmt::format("at most {} of {}, and the program ran {}", bytes_text(sight.data_bytes),
                       bytes_text(static_cast<std::uint64_t>(most)), duration_text(ending.seconds));
  }
  if (sight.longest_gap <= longest_share * sight.seconds) return {};
  const std::string ran = "the program ran " + duration_text(ending.seconds);
  if (sight.longest_gap >= ending.seconds) return ran;
  return fmt::format("{}, {} of it between two looks", ran, duration_text(sight.longest_gap));
}

}  // namespace gable::points
