#include "cli/measure/progress.hpp"

#include <fmt/core.h>

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
  if (sample.asked.kind == model::Kind::bandwidth) return fmt::format("{:.1f} GB/s", work / seconds * 1e-9);
  if (counts_flops(sample.asked.kind)) return fmt::format("{:.1f} GFlop/s", work / seconds * 1e-9);
  return fmt::format("{:.1f} ns", seconds / work * 1e9);
}

// Joins the words that are not empty with spaces.
std::string words(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() || word.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string describe(const model::Case& asked) {
  if (is_peak(asked.kind)) return fmt::format("{}, cluster {}", asked.kernel, asked.cluster);
  const std::string weights =
      asked.node_weight > 0 ? fmt::format(" {}:{}", asked.node_weight, asked.other_weight) : "";
  std::string where = is_ladder(asked.pattern) ? bytes_text(asked.bytes) : asked.level.name();
  if (is_memory(asked.level)) {
    where = asked.other_node >= 0
                ? words({name_of(asked.tier), fmt::format("nodes {}+{} {} {} %", asked.node, asked.other_node,
                                                          name_of(asked.pattern), asked.node_percent)}) +
                      weights
            : asked.node >= 0
                ? words({name_of(asked.tier), fmt::format("node {} {}", asked.node, name_of(asked.pattern))})
                : words({asked.tier.empty() ? "all nodes" : name_of(asked.tier), name_of(asked.pattern)});
  }
  const std::string load = has_load(asked.kind) ? fmt::format(" at {} % load", asked.load_percent) : "";
  const std::string what = streams(asked.kind) ? asked.kernel : "latency" + load;
  return fmt::format("{}, cluster {}", words({where, what, name_of(asked.pages)}), asked.cluster);
}

void show(ProgressLine& line, const bench::Progress& progress) {
  const std::string last =
      progress.last == nullptr ? "" : describe(progress.last->asked) + "  " + result(*progress.last);
  line.show(progress.visits_done, progress.visits, progress.seconds_left, last);
}

}  // namespace gable::cli
