#include "cli/measure/progress.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/words.hpp"
#include "model/json/case.hpp"

namespace gable::cli {

namespace {

std::string result(const model::Sample& sample) {
  if (sample.status != model::Status::ok) {
    return fmt::format("{}: {}", model::name_of(sample.status), sample.reason);
  }
  double seconds = 0, work = 0;
  for (const double s : sample.seconds) seconds += s;
  for (const double w : sample.work) work += w;
  if (sample.asked.kind == "bandwidth") return fmt::format("{:.1f} GB/s", work / seconds * 1e-9);
  if (sample.asked.kind == "flops" || sample.asked.kind == "validation")
    return fmt::format("{:.1f} GFlop/s", work / seconds * 1e-9);
  return fmt::format("{:.1f} ns", seconds / work * 1e9);
}

// Whether stderr is a terminal whose line can be overwritten.
bool can_redraw() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

// The width of a line that does not wrap.
int columns() {
  constexpr int most = 110;
  winsize size = {};
  const bool told = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return told ? std::min(most, size.ws_col - 1) : 79;
}

// Joins the words that are not empty with spaces.
std::string words(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string describe(const model::Case& asked) {
  if (asked.kind == "flops") return fmt::format("{}, cluster {}", asked.kernel, asked.cluster);
  const std::string weights =
      asked.node_weight > 0 ? fmt::format(" {}:{}", asked.node_weight, asked.other_weight) : "";
  std::string where = asked.level == "ladder" ? bytes_text(asked.bytes) : asked.level;
  if (asked.level == "memory") {
    where = asked.other_node >= 0
                ? words({asked.tier, fmt::format("nodes {}+{} {} {} %", asked.node, asked.other_node,
                                                 asked.pattern, asked.node_percent)}) +
                      weights
            : asked.node >= 0 ? words({asked.tier, fmt::format("node {} {}", asked.node, asked.pattern)})
                              : words({asked.tier.empty() ? "all nodes" : asked.tier, asked.pattern});
  }
  const std::string load =
      asked.kind == "loaded_latency" ? fmt::format(" at {} % load", asked.load_percent) : "";
  const std::string what =
      asked.kind == "bandwidth" || asked.kind == "validation" ? asked.kernel : "latency" + load;
  return fmt::format("{}, cluster {}", words({where, what, asked.pages}), asked.cluster);
}

ProgressLine::ProgressLine(bool quiet, std::string part, double seconds_after)
    : quiet_(quiet), terminal_(can_redraw()), part_(std::move(part)), seconds_after_(seconds_after) {}

void ProgressLine::show(const bench::Progress& progress) {
  const std::string last =
      progress.last == nullptr ? "" : describe(progress.last->asked) + "  " + result(*progress.last);
  show(progress.visits_done, progress.visits, progress.seconds_left, last);
}

void ProgressLine::show(int visits_done, int visits, double seconds_left, const std::string& last) {
  if (quiet_ || visits == 0) return;
  if (planned_ == 0) planned_ = visits;
  // Disturbed visits are repeated, and intervals are narrowed, when all that was planned is done.
  const bool is_extra = visits > planned_ && visits_done >= planned_;
  const int percent = 100 * visits_done / planned_, tenth = is_extra ? 11 : percent / 10;
  if (!terminal_ && tenth == last_tenth_) return;
  last_tenth_ = tenth;
  const std::string line = fmt::format("{}{}{}  {} left  {}", part_, part_.empty() ? "" : " ",
                                       is_extra ? "extra" : fmt::format("{:3} %", percent),
                                       clock_text(seconds_left + seconds_after_), last);
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%.*s", columns(), line.c_str());
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

void ProgressLine::finish() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace gable::cli
