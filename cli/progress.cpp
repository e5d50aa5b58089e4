#include "cli/progress.hpp"
#include "model/case_json.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

namespace gable::cli {

namespace {

std::string duration(double seconds) {
  const int whole = static_cast<int>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string size(std::uint64_t bytes) {
  if (bytes >= 1u << 20) return fmt::format("{:g} MiB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{:g} KiB", static_cast<double>(bytes) / 1024);
}

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

struct Row {
  std::string name;
  int cells = 0, visits = 0;
  double seconds = 0;
};

// Rows in the order in which their first run stands in the plan.
Row& row_of(std::vector<Row>& rows, const std::string& name) {
  for (Row& row : rows) {
    if (row.name == name) return row;
  }
  return rows.emplace_back(Row{name});
}

std::string row_name(const model::Case& asked) {
  if (asked.kind == "flops") return "floating-point peaks";
  std::string kind = asked.kind;
  std::ranges::replace(kind, '_', ' ');
  if (asked.pattern == "ladder") return kind + ", working-set ladder";
  return fmt::format("{}, {}", kind, asked.level == "memory" ? "memory " + asked.pattern : "caches");
}

// A terminal whose line can be drawn over.
bool can_redraw() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

// That a line may take without being wrapped.
int columns() {
  constexpr int most = 110;
  winsize size = {};
  const bool told = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return told ? std::min(most, size.ws_col - 1) : 79;
}

// Words with a space between those that are not empty.
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
  std::string where = asked.level == "ladder" ? size(asked.bytes) : asked.level;
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

std::string plan_table(const bench::Plan& plan, const bench::Options& options) {
  std::vector<Row> rows;
  std::vector<std::pair<std::string, int>> skips;
  int cells = 0, visits = 0;
  for (const bench::Run& run : plan.runs) {
    const int count = static_cast<int>(run.cases.size());
    if (!run.skip.empty()) {
      const std::string what = fmt::format("{}: {}", row_name(run.cases.front()), run.skip);
      const auto known = std::ranges::find(skips, what, &std::pair<std::string, int>::first);
      if (known == skips.end()) {
        skips.emplace_back(what, count);
      } else {
        known->second += count;
      }
      continue;
    }
    Row& row = row_of(rows, row_name(run.cases.front()));
    row.cells += count;
    row.visits += run.rounds;
    row.seconds += run.seconds * run.rounds;
    cells += count;
    visits += run.rounds;
  }
  std::string text =
      fmt::format("Plan of preset {}: {} cells, {} visits, about {}\n\n{:<40}{:>8}{:>9}{:>9}\n",
                  options.preset->name, cells, visits, duration(plan.seconds), "", "cells", "visits", "time");
  for (const Row& row : rows) {
    text += fmt::format("{:<40}{:>8}{:>9}{:>9}\n", row.name, row.cells, row.visits, duration(row.seconds));
  }
  if (!skips.empty()) text += "\nSkipped on this machine:\n";
  for (const auto& [what, count] : skips)
    text += fmt::format("  {} ({} cell{})\n", what, count, count == 1 ? "" : "s");
  return text;
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(can_redraw()) {}

void ProgressLine::show(const bench::Progress& progress) {
  if (quiet_ || progress.visits == 0) return;
  const int percent = 100 * progress.visits_done / progress.visits;
  if (!terminal_ && percent / 10 == last_tenth_) return;
  last_tenth_ = percent / 10;
  const std::string last =
      progress.last == nullptr ? "" : describe(progress.last->asked) + "  " + result(*progress.last);
  const std::string line = fmt::format("{:3} %  {} left  {}", percent, duration(progress.seconds_left), last);
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
