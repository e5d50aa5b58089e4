#include "model/points/kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

// A page fault takes some microseconds, or up to half a millisecond for a huge page.
std::string remedy(double faults_per_second, bool has_huge_pages) {
  constexpr double most_of_it = 1e5, much_of_it = 1e4, little_of_it_if_huge = 200;
  const std::string calls =
      "`strace -c -f` lists its system calls, such as input, output, and waiting for locks and barriers "
      "(futex)";
  if (faults_per_second < (has_huge_pages ? little_of_it_if_huge : much_of_it)) return calls;
  const std::string pages =
      "memory that is reused instead of freed and allocated again, or huge pages, avoid page faults; a "
      "marked region can leave out the first touch";
  if (faults_per_second < much_of_it) return calls + ". " + capitalized(pages);
  return faults_per_second >= most_of_it ? pages : pages + ". " + calls;
}

}  // namespace

std::string faults_text(double faults) {
  if (faults >= 1e6) return fmt::format("{:.3g} million page faults", faults / 1e6);
  if (faults >= 1e4) return fmt::format("{:.3g} thousand page faults", faults / 1e3);
  return fmt::format("{:.0f} page {}", faults, faults >= 0.5 && faults < 1.5 ? "fault" : "faults");
}

double user_share(const Point& point) {
  const double all = point.user_seconds + point.kernel_seconds;
  return all > 0 ? point.user_seconds / all : 1;
}

bool is_much_in_kernel(const Point& point) {
  constexpr double worth_a_word = 0.1;
  return 1 - user_share(point) >= worth_a_word;
}

double kernel_share(const Point& point) {
  const int threads = std::max(1, threads_at_once(point));
  return point.seconds > 0 ? std::min(1.0, point.kernel_seconds / (threads * point.seconds)) : 0;
}

std::string kernel_figures(const Point& point) {
  return fmt::format("{:.0f} % of its CPU time, with {}", 100 * (1 - user_share(point)),
                     faults_text(point.page_faults));
}

std::string kernel_advice(const Point& point) {
  constexpr double none = 1;  // percent
  return point.kernel_seconds > 0
             ? remedy(point.page_faults / point.kernel_seconds, point.huge_pages_percent.value_or(100) > none)
             : "";
}

std::string kernel_remark(const Point& point) {
  if (!is_much_in_kernel(point)) return {};
  return fmt::format("The kernel took {}, and the program's bytes do not contain what it moved: {}.",
                     kernel_figures(point), kernel_advice(point));
}

}  // namespace gable::model
