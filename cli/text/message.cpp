#include "cli/text/message.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/words.hpp"
#include "cli/text/columns.hpp"

namespace gable::cli {

void tell(const std::string& text) {
  std::string said = "gable: " + printable(text) + "\n";
  if (const auto columns = terminal_columns(STDERR_FILENO)) said = folded_lines(said, 2, *columns);
  std::fputs(said.c_str(), stderr);
}

bool can_redraw() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

void redraw(const std::string& text) {
  constexpr std::size_t most = 110;
  const std::size_t unwrapped = terminal_columns(STDERR_FILENO).value_or(80) - 1;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(std::min(most, unwrapped)), text.c_str());
}

ProgressLine::ProgressLine(bool quiet, Options options)
    : quiet_(quiet), terminal_(can_redraw()), options_(std::move(options)) {
  if (options_.terminal_only && !terminal_) quiet_ = true;
}

void ProgressLine::show(int done, int all, std::optional<double> seconds_left, const std::string& last) {
  if (quiet_ || all == 0) return;
  if (planned_ == 0) planned_ = all;
  const bool is_extra = all > planned_ && done >= planned_;
  const int percent = 100 * done / planned_, tenth = is_extra ? 11 : percent / 10;
  if (!terminal_ && tenth == last_tenth_) return;
  last_tenth_ = tenth;
  const std::string& part = options_.part;
  const std::string& goal = options_.goal;
  const std::string left = seconds_left
                               ? fmt::format("  {} {}", clock_text(*seconds_left + options_.seconds_after),
                                             goal.empty() ? "left" : "to " + goal)
                               : "";
  const std::string line = fmt::format("{}{}{}{}{}{}", part, part.empty() ? "" : " ",
                                       is_extra ? "extra visits" : fmt::format("{:3} %", percent), left,
                                       last.empty() ? "" : "  ", last);
  if (terminal_) {
    redraw(line);
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

void ProgressLine::finish() {
  if (drawn_) redraw("");
  drawn_ = false;
}

}  // namespace gable::cli
