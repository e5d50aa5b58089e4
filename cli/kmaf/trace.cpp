#include "cli/kmaf/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/replay/replay.hpp"
#include "cli/text/message.hpp"
#include "points/run.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;

// "65536/1048576"
void read_bursts(KmafTraceArguments& arguments) {
  if (arguments.bursts.empty()) return;
  const std::string& text = arguments.bursts;
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto burst = read_as<std::uint64_t>(text.substr(0, slash));
  const auto of = read_as<std::uint64_t>(std::string_view(text).substr(std::min(slash + 1, text.size())));
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (!burst || !of || *burst < 1 || *burst > *of || *of > most) {
    throw Error::usage(fmt::format(
        "--bursts {}: give N/M, such as 65536/1048576: the first N of every M accesses are written", text));
  }
  arguments.trace.burst = *burst;
  arguments.trace.burst_of = *of;
}

points::Traced traced(const KmafTraceArguments& arguments, const std::string& file) {
  points::TraceOptions trace = arguments.trace;
  trace.file = file;
  return points::trace_with_valgrind({arguments.command}, trace);
}

void report_trace(const KmafTraceArguments& arguments, const points::TracedProgram& kept,
                  const points::Traced& all) {
  tell(fmt::format("{}: {} accesses by {}{}", arguments.output, kept.written,
                   count_text(kept.threads, "thread"),
                   kept.written < kept.seen && arguments.trace.burst_of > 0
                       ? fmt::format(", of {} that the program made", kept.seen)
                       : ""));
  if (kept.ended) {
    tell(
        "the trace ends there (--max-accesses), but the program continued; --bursts samples the whole "
        "run");
  }
  for (const points::TracedProgram& other : all.programs) {
    if (&other == &kept || other.seen == 0) continue;
    tell(fmt::format("not in the trace: process {} ({}), {} accesses", other.pid,
                     fmt::join(other.command, " "), other.seen));
  }
}

// A pipe cannot be full like a disk, but its reader may be gone.
std::string why_not(const OutputFile& output) {
  std::error_code ignored;
  const auto type = std::filesystem::status(output.part(), ignored).type();
  const bool is_pipe = type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket;
  return is_pipe ? "its reader is gone" : "is the disk full?";
}

// Depth 0: the name without its ending; 1: the whole name; n: with n - 1 folders before
// it.
std::string name_of(const fs::path& trace, int depth) {
  if (depth == 0) return trace.stem();
  std::string name = trace.filename();
  fs::path folder = trace.parent_path();
  for (int i = 1; i < depth && folder.has_relative_path(); ++i, folder = folder.parent_path())
    name = folder.filename().string() + "-" + name;
  return name;
}

}  // namespace

void trace_program(KmafTraceArguments arguments) {
  if (arguments.command.empty())
    throw Error::usage("no program given: gable kmaf trace -o FILE -- ./app arguments");
  read_bursts(arguments);
  points::find_program(arguments.command.front());
  OutputFile output(arguments.output);
  const points::Traced all = traced(arguments, output.part());
  const std::string& name = arguments.command.front();
  for (const points::TracedProgram& program : all.programs) {
    if (program.failed) throw Error::failed("cannot write " + arguments.output + ": " + why_not(output));
  }
  const auto kept = std::max_element(all.programs.begin(), all.programs.end(),
                                     [](const auto& a, const auto& b) { return a.written < b.written; });
  if (kept->written == 0) throw Error::usage(name + ": it accessed only its stacks (--stack traces them)");
  output.keep(kept->file);
  report_trace(arguments, *kept, all);
  // An interruption and a failed check of the program's own leave a trace of what it did until then.
  if (all.ending.status != 0) {
    throw Error::program(fmt::format("{} {}: the trace up to there is kept", name, in_words(all.ending)),
                         all.ending.status);
  }
}

void generate_trace(const KmafGenerateArguments& arguments) {
  for (const kmaf::Workload& workload : kmaf::workloads()) {
    if (arguments.kernel != workload.name) continue;
    stop_requested();
    OutputFile output(arguments.output);
    kmaf::TraceWriter writer(output.part(), kmaf::trace_format(arguments.output));
    workload.generate(arguments.shape, [&](const kmaf::Access& access) {
      stop_if_requested();
      writer.write(access);
    });
    writer.finish();
    output.keep(output.part());
    return;
  }
  throw Error::usage(fmt::format("no kernel '{}'", arguments.kernel));
}

std::vector<std::string> program_names(const std::vector<std::string>& traces) {
  std::vector<fs::path> paths;
  std::size_t most = 2;
  for (const std::string& trace : traces) {
    const fs::path path = fs::weakly_canonical(trace);
    if (is_among(paths, path)) throw Error::usage(fmt::format("{}: this trace is named twice", trace));
    most = std::max(most, static_cast<std::size_t>(std::distance(path.begin(), path.end())));
    paths.push_back(path);
  }
  std::vector<std::string> names;
  for (std::size_t depth = 0; depth <= most; ++depth) {
    names.clear();
    for (const fs::path& path : paths) names.push_back(name_of(path, static_cast<int>(depth)));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
  throw Error::usage("TRACE: the names of these files would give the same picture name; rename one");
}

}  // namespace gable::cli
