// gable kmaf trace: a program's accesses to memory, for gable kmaf metrics and replay.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/commands.hpp"
#include "cli/kmaf/kmaf.hpp"
#include "cli/output_file.hpp"
#include "cli/point/input.hpp"
#include "points/counters/valgrind_trace.hpp"

namespace gable::cli {

namespace {

// A trace grows by 16 bytes an access: this many are 1 GiB.
constexpr std::uint64_t usual_most = std::uint64_t{1} << 26;

struct TraceCommand {
  std::string output, bursts;
  std::vector<std::string> command;
  points::TraceOptions trace;
};

// "65536/1048576"
void read_bursts(TraceCommand& options) {
  if (options.bursts.empty()) return;
  const std::string& text = options.bursts;
  const char* const end = text.data() + text.size();
  const auto [slash, bad] = std::from_chars(text.data(), end, options.trace.burst);
  const bool has_slash = bad == std::errc{} && slash != end && *slash == '/';
  const auto of = has_slash ? std::from_chars(slash + 1, end, options.trace.burst_of)
                            : std::from_chars_result{text.data(), std::errc::invalid_argument};
  constexpr std::uint64_t most = std::uint64_t{1} << 60;
  if (of.ec != std::errc{} || of.ptr != end || options.trace.burst < 1 ||
      options.trace.burst > options.trace.burst_of || options.trace.burst_of > most) {
    throw UsageError(fmt::format(
        "--bursts {}: give N/M, as in 65536/1048576: of every M accesses the first N are written", text));
  }
}

void say(const std::string& text) {
  std::fputs(fmt::format("gable: {}\n", text).c_str(), stderr);  // nobody may read it
}

// Threads that wait in a loop would fill the trace with it. Who sets the variable has it as it is set.
std::vector<std::string> environment() {
  if (getenv("OMP_WAIT_POLICY") != nullptr || getenv("GOMP_SPINCOUNT") != nullptr) return {};
  return {"OMP_WAIT_POLICY=passive"};
}

points::Traced traced(const TraceCommand& options, const std::string& file) {
  points::TraceOptions trace = options.trace;
  trace.file = file;
  const PipeSignal pipe_signal;
  return points::trace_with_valgrind({options.command, environment(), false}, trace);
}

void tell(const TraceCommand& options, const points::TracedProgram& kept, const points::Traced& all) {
  say(fmt::format("{}: {} accesses by {} thread{}{}", options.output, kept.written, kept.threads,
                  kept.threads == 1 ? "" : "s",
                  kept.written < kept.seen && options.trace.burst_of > 0
                      ? fmt::format(", of {} that were seen", kept.seen)
                      : ""));
  if (kept.ended) {
    say("the trace ends there (--max-accesses), the program went on; --bursts spreads as many over the whole "
        "of "
        "it");
  }
  for (const points::TracedProgram& other : all.programs) {
    if (&other == &kept || other.seen == 0) continue;
    say(fmt::format("not in the trace: process {} ({}), {} accesses", other.pid,
                    fmt::join(other.command, " "), other.seen));
  }
}

// A pipe has no disk; one whose reader has gone takes nothing.
std::string why_not(const OutputFile& output) {
  std::error_code ignored;
  const auto type = std::filesystem::status(output.part(), ignored).type();
  const bool is_pipe = type == std::filesystem::file_type::fifo || type == std::filesystem::file_type::socket;
  return is_pipe ? "nobody reads it any more" : "is the disk full?";
}

void trace_command(TraceCommand& options) {
  if (options.command.empty()) throw UsageError("which program? gable kmaf trace -o FILE -- ./app arguments");
  read_bursts(options);
  points::find_program(options.command.front());
  OutputFile output(options.output);
  const points::Traced all = traced(options, output.part());
  const std::string& name = options.command.front();
  // Whoever interrupts the program has seen enough; of any other end nobody knows what it means.
  const bool interrupted =
      all.ending.signal == SIGINT || all.ending.signal == SIGTERM || all.ending.signal == SIGHUP;
  if (!interrupted) points::require_success(name, all.ending);
  for (const points::TracedProgram& program : all.programs) {
    if (program.failed) throw std::runtime_error("cannot write " + options.output + ": " + why_not(output));
  }
  const auto kept = std::max_element(all.programs.begin(), all.programs.end(),
                                     [](const auto& a, const auto& b) { return a.written < b.written; });
  if (kept->written == 0)
    throw UsageError(name + ": it accessed no memory but its stacks (--stack traces these)");
  output.keep(kept->file);
  tell(options, *kept, all);
  if (interrupted) {
    throw points::ProgramError(fmt::format("{} {}: the trace ends there", name, points::in_words(all.ending)),
                               all.ending.status);
  }
}

}  // namespace

void define_kmaf_trace(CLI::App& command) {
  const auto options = std::make_shared<TraceCommand>();
  options->trace.most_accesses = usual_most;
  options->trace.turn = 256;
  command.add_option("COMMAND", options->command, "the program and its arguments, after --");
  command.add_option("-o,--output", options->output, "file; binary if its name ends in .trace, else CSV")
      ->required();
  command
      .add_option("--max-accesses", options->trace.most_accesses,
                  "the trace ends after so many, at 16 bytes each in binary; the program goes on")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000000}))
      ->capture_default_str();
  command.add_option("--bursts", options->bursts,
                     "N/M: of every M accesses the first N, and the first to each page");
  command.add_option("--turn", options->trace.turn, "accesses after which a thread lets the next one run")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000}))
      ->capture_default_str();
  command.add_flag("--stack", options->trace.stack, "accesses of threads to their own stacks too");
  command.footer(
      "The program's output, input and exit status are its own. If it fails, nothing is written; of one that "
      "is interrupted, the trace until then.");
  command.callback([options] { trace_command(*options); });
}

}  // namespace gable::cli
