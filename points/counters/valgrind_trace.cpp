#include "points/counters/valgrind_trace.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "points/counters/valgrind_run.hpp"

namespace gable::points {

namespace {

std::vector<std::string> tool_options(const TraceOptions& options) {
  std::vector<std::string> texts = {fmt::format("--trace={}", options.file.string()),
                                    fmt::format("--trace-stack={}", options.stack ? "yes" : "no")};
  const auto add = [&](const char* name, std::uint64_t value) {
    if (value > 0) texts.push_back(fmt::format("--trace-{}={}", name, value));
  };
  add("most", options.most_accesses);
  add("burst", options.burst);
  add("burst-of", options.burst_of);
  add("turn", options.turn);
  return texts;
}

}  // namespace

Traced trace_with_valgrind(const Program& program, const TraceOptions& options) {
  ValgrindRun run = run_under_valgrind(program, tool_options(options), "");
  // If the program failed, its remaining processes may have been killed with it.
  if (run.ending.status == 0) check_whole(run);
  Traced traced{run.ending, {}};
  for (ValgrindFile& file : run.files) {
    if (!file.whole || !file.trace) continue;
    traced.programs.push_back({file.trace->path, std::move(file.process.command), file.process.pid,
                               static_cast<int>(file.process.threads.size()), file.trace->seen,
                               file.trace->written, file.trace->ended, file.trace->failed});
  }
  if (traced.programs.empty()) {
    throw Error::program(fmt::format("{} {} before its accesses could be written", program.command.front(),
                                     in_words(run.ending)),
                         run.ending.status);
  }
  return traced;
}

}  // namespace gable::points
