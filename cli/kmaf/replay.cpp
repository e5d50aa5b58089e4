#include "cli/kmaf/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "base/reading.hpp"
#include "cli/draw.hpp"
#include "cli/errors.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/machine.hpp"
#include "cli/kmaf/replay_output.hpp"
#include "cli/kmaf/replay_points.hpp"
#include "kmaf/replay/oracle.hpp"
#include "kmaf/replay/result.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

// The requested policies in the table's order, always including the OS, with which the others are
// compared.
std::vector<const kmaf::PolicyEntry*> chosen(const KmafReplayArguments& arguments) {
  const auto& all = kmaf::policies();
  const bool everything =
      std::find(arguments.policies.begin(), arguments.policies.end(), "all") != arguments.policies.end();
  std::vector<const kmaf::PolicyEntry*> entries;
  for (const auto& entry : all) {
    const bool named = std::find(arguments.policies.begin(), arguments.policies.end(), entry.name) !=
                       arguments.policies.end();
    if (everything || named || &entry == &all.front()) entries.push_back(&entry);
  }
  return entries;
}

kmaf::ParallelOrder read_trace(const std::string& path) {
  try {
    return reading<Interrupted>(path, [&] {
      kmaf::ParallelOrder order;
      kmaf::TraceReader reader(path, true);
      for (auto block = reader.next(); !block.empty(); block = reader.next()) {
        stop_if_requested();
        for (const kmaf::Access& access : block) order.take(access);
      }
      return order;
    });
  } catch (const kmaf::TraceError& error) {
    throw UsageError(error.what());
  }
}

kmaf::PreparedTrace prepared(kmaf::ParallelOrder& order, const std::string& path, int iterations,
                             std::uint64_t lots = 0) {
  kmaf::PreparedTrace trace = reading<Interrupted>(
      path, [&] { return kmaf::PreparedTrace(order, iterations, lots, stop_if_requested); });
  if (trace.accesses() == 0) throw UsageError(path + ": contains no access");
  return trace;
}

// Runs share only constant data; each thread takes the next run.
void run_all(std::vector<std::function<void()>>& runs, int jobs) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < runs.size(); i = next++) runs[i]();
    } catch (...) {
      const std::lock_guard lock(guard);
      failed = std::current_exception();
      next = runs.size();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failed) std::rethrow_exception(failed);
}

// The trace of another run, by which the oracle maps the threads of the one at `path`.
std::string known_for(const std::string& path, const std::string& knowing) {
  if (!std::filesystem::is_directory(knowing)) return knowing;
  return std::filesystem::path(knowing) / std::filesystem::path(path).filename();
}

// The oracle's part of the options: what is best for the trace, by what threads share in `known`.
kmaf::ReplayOptions best_options(const kmaf::PreparedTrace& trace, const kmaf::PreparedTrace& known,
                                 double scale, const ReplayMachine& machine,
                                 const KmafReplayArguments& arguments) {
  kmaf::ReplayOptions options = arguments.replay;
  const kmaf::OracleChoice choice = kmaf::best_for(trace, known, machine.machine, scale, 1, options);
  options.mapping = choice.mapping;
  options.pages = choice.pages;
  return options;
}

// The oracle knows the trace, or that of another run. What threads share it takes from an order with other
// lots: who gets a lock first is drawn anew each time a program runs.
kmaf::ReplayOptions oracle_options(kmaf::ParallelOrder& order, const kmaf::PreparedTrace& trace, double scale,
                                   const std::string& path, const std::string& known,
                                   const ReplayMachine& machine, const KmafReplayArguments& arguments,
                                   const std::vector<const kmaf::PolicyEntry*>& entries) {
  if (std::ranges::find(entries, &kmaf::oracle_policy()) == entries.end()) return arguments.replay;
  if (!known.empty()) {
    kmaf::ParallelOrder other = read_trace(known);
    const kmaf::PreparedTrace earlier = prepared(other, known, arguments.iterations);
    if (earlier.threads() != trace.threads()) {
      throw UsageError(
          fmt::format("{}: {} threads, but {} has {}", known, earlier.threads(), path, trace.threads()));
    }
    return best_options(earlier, earlier, kmaf::scale_of(earlier, machine.machine, arguments.replay), machine,
                        arguments);
  }
  if (!order.has_events()) return arguments.replay;
  return best_options(trace, prepared(order, path, arguments.iterations, 1), scale, machine, arguments);
}

kmaf::ReplayResult replay_trace(const std::string& path, const std::string& name,
                                const KmafReplayArguments& arguments, const ReplayMachine& machine,
                                const std::vector<const kmaf::PolicyEntry*>& entries) {
  kmaf::ParallelOrder order = read_trace(path);
  const kmaf::PreparedTrace trace = prepared(order, path, arguments.iterations);
  const double scale = kmaf::scale_of(trace, machine.machine, arguments.replay);
  const std::string known = arguments.knowing.empty() ? "" : known_for(path, arguments.knowing);
  const kmaf::ReplayOptions options =
      oracle_options(order, trace, scale, path, known, machine, arguments, entries);
  kmaf::ReplayResult result{path,
                            name,
                            machine.name,
                            trace.threads(),
                            trace.accesses(),
                            trace.steady_accesses(),
                            trace.pages(),
                            arguments.runs,
                            options.program_seconds,
                            scale,
                            trace.is_looped() ? options.passes : 1,
                            machine.has_energy,
                            kmaf::mapper().missing,
                            {},
                            machine.derived,
                            known};
  for (const auto* entry : entries) {
    const int runs = entry->deterministic ? 1 : arguments.runs;
    result.policies.push_back(
        {entry->name, entry->deterministic, std::vector<kmaf::Outcome>(static_cast<std::size_t>(runs))});
  }
  std::vector<std::function<void()>> runs;
  for (std::size_t policy = 0; policy < entries.size(); ++policy) {
    for (std::size_t i = 0; i < result.policies[policy].outcomes.size(); ++i) {
      runs.emplace_back([&, policy, i] {
        result.policies[policy].outcomes[i] =
            kmaf::replay(trace, machine.machine, *entries[policy], scale, i + 1, options);
      });
    }
  }
  const int jobs =
      arguments.jobs > 0 ? arguments.jobs : static_cast<int>(std::thread::hardware_concurrency());
  run_all(runs, std::max(jobs, 1));
  return result;
}

// The traces of a suite, by name.
std::vector<std::string> traces_of(const std::string& folder) {
  std::vector<std::string> traces;
  if (!std::filesystem::is_directory(folder)) throw UsageError(folder + ": no such folder");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".trace") traces.push_back(entry.path());
  }
  if (traces.empty())
    throw UsageError(folder + ": no traces (*.trace); tests/bench/kmaf_suite.py makes some");
  std::sort(traces.begin(), traces.end());
  return traces;
}

void draw(const std::vector<kmaf::ReplayResult>& programs, const KmafReplayArguments& arguments) {
  std::vector<charts::Chart> drawn;
  for (const kmaf::ReplayResult& program : programs)
    drawn.push_back(charts::replay_chart(charts::ratios_of(program), arguments.pictures.column));
  if (programs.size() > 1 || !arguments.suite.empty()) {
    for (charts::Chart& chart :
         charts::program_charts(programs, !arguments.suite.empty(), arguments.pictures.column))
      drawn.push_back(std::move(chart));
  }
  draw_charts(std::move(drawn), arguments.plot, arguments.pictures, arguments.json ? nullptr : stdout);
}

}  // namespace

void replay_traces(KmafReplayArguments arguments) {
  const bool is_suite = !arguments.suite.empty();
  if (is_suite == !arguments.traces.empty())
    throw UsageError("give traces, or --suite with a folder of them");
  if (is_suite) arguments.traces = traces_of(arguments.suite);
  const auto entries = chosen(arguments);
  if (!arguments.knowing.empty() && std::ranges::find(entries, &kmaf::oracle_policy()) == entries.end())
    throw UsageError("--knowing is for --policy oracle, which is not among the policies");
  const std::vector<std::string> names = program_names(arguments.traces);
  const ReplayMachine machine = read_replay_machine(machine_folder(arguments.machine));
  const std::vector<model::Point> own = arguments.points
                                            ? unmanaged_points(machine_folder(arguments.machine), names)
                                            : std::vector<model::Point>{};
  stop_requested();
  arguments.replay.watch = stop_if_requested;
  if (arguments.iterations > 1) arguments.replay.passes = arguments.iterations;
  std::vector<kmaf::ReplayResult> programs;
  for (std::size_t i = 0; i < arguments.traces.size(); ++i) {
    arguments.replay.program_seconds = arguments.seconds.value_or(seconds_under_os(own, names[i]));
    programs.push_back(replay_trace(arguments.traces[i], names[i], arguments, machine, entries));
    if (arguments.json) continue;
    print_table(programs.back());
    fmt::print("\n");
    std::fflush(stdout);
  }
  if (arguments.json) {
    print_json(programs, is_suite);
  } else if (programs.size() > 1 || is_suite) {
    print_programs(programs, is_suite);
  }
  if (!arguments.plot.empty()) draw(programs, arguments);
  if (arguments.points) record_simulated(machine_folder(arguments.machine), programs, own, arguments.json);
}

}  // namespace gable::cli
