#include "model/predict/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "model/points/kernel_time.hpp"
#include "model/points/needs/thread_wait.hpp"
#include "model/points/needs/uncounted_code.hpp"
#include "model/points/threads.hpp"

namespace gable::model {
namespace {

constexpr double much_explained = 60, much_idle = 20;  // per cent
constexpr double much_spinning = 0.1;
constexpr double much_of_others = 0.2;  // CPUs

// The share of its threads' time in which they used no CPU, in percent; 0: not known.
double idle_percent(const Point& point) {
  const double used = point.user_seconds + point.kernel_seconds;
  const int threads = threads_at_once(point);
  if (used <= 0 || threads <= 0 || point.seconds <= 0) return 0;
  return std::max(0.0, 100 * (1 - used / (threads * point.seconds)));
}

}  // namespace

std::vector<std::string> remarks_on(const Setting& here, const Setting& there, double explained_percent) {
  const Point& point = here.like;
  std::vector<std::string> notes;
  const double idle = idle_percent(point), kernel = 100 * (1 - user_share(point));
  if (explained_percent < much_explained)
    notes.push_back(
        fmt::format("the roofs explain {} of its time here; mispredicted branches, other instructions, "
                    "waiting and spinning "
                    "may take the rest, which is scaled like the core",
                    percent_text(explained_percent)));
  if (is_much_in_kernel(point))
    notes.push_back(
        fmt::format("the kernel took {} of its CPU time here: what system calls, page faults, input and "
                    "output take there "
                    "is not known, and counts as the core's",
                    percent_text(kernel)));
  if (idle >= much_idle)
    notes.push_back(
        fmt::format("its threads used no CPU for {} of the time here: locks, input and output, or an uneven "
                    "division of the "
                    "work, which may be others there",
                    percent_text(idle)));
  if (here.like.threads > 0 && there.like.threads > 0 && here.like.threads != there.like.threads)
    notes.push_back(there.like.threads == 1
                        ? fmt::format("it was timed with {}, and one does all of its work there",
                                      count_text(here.like.threads, "thread"))
                        : fmt::format("it was timed with {}, and its work is divided evenly among {} there",
                                      count_text(here.like.threads, "thread"),
                                      count_text(there.like.threads, "thread")));
  if (const auto wait = thread_wait(point); wait && wait->spinning.lo >= much_spinning)
    notes.push_back(fmt::format(
        "its threads spent {} of their CPU time here in loops that wait for other threads{}",
        percent_text(100 * wait->spinning.value),
        there.like.threads == 1 ? ", for which one thread need not wait" : ", which may be others there"));
  if (const auto code = uncounted_code(point)) notes.push_back(uncounted_figures(*code));
  if (point.other_cpus >= much_of_others)
    notes.push_back(
        fmt::format("other processes or guests had {:.1f} CPUs while it was timed here, and may "
                    "have made it take longer",
                    point.other_cpus));
  return notes;
}

std::string remark_on_mix(const Setting& there) {
  const Point& like = there.like;
  const std::vector<Limit> limits =
      memory_limits(*there.roofs, like, std::max(0, like.cluster), node_shares(like), there.hybrid);
  const auto mix = std::ranges::find_if(limits, [](const Limit& limit) { return !limit.fitted; });
  if (mix == limits.end()) return {};
  return fmt::format(
      "no hybrid model was fitted for {}{}: the interval extends from no to full overlap of its memories",
      mix->name(), mix->reason.empty() ? "" : " (" + mix->reason + ")");
}

}  // namespace gable::model
