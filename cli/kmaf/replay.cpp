// gable kmaf replay: a trace on a simulated machine, under every policy.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/commands.hpp"
#include "cli/draw.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/kmaf.hpp"
#include "cli/kmaf/machine.hpp"
#include "cli/kmaf/replay_output.hpp"
#include "cli/validators.hpp"
#include "kmaf/replay/replay.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

struct ReplayOptions {
  std::vector<std::string> traces;
  std::string machine, plot;
  std::vector<std::string> policies = {"all"};
  int runs = 20;
  int jobs = 0;
  bool json = false;
  kmaf::ReplayOptions replay;
};

// The policies that were asked for, in the table's order; the OS is always among them, for the others are
// compared to it.
std::vector<const kmaf::PolicyEntry*> chosen(const ReplayOptions& options) {
  const auto& all = kmaf::policies();
  const bool everything =
      std::find(options.policies.begin(), options.policies.end(), "all") != options.policies.end();
  for (const std::string& name : options.policies) {
    if (name == "all" ||
        std::any_of(all.begin(), all.end(), [&](const auto& entry) { return entry.name == name; }))
      continue;
    std::vector<std::string> names;
    for (const auto& entry : all) names.emplace_back(entry.name);
    throw UsageError(fmt::format("--policy {}: there are all, {}", name, fmt::join(names, ", ")));
  }
  std::vector<const kmaf::PolicyEntry*> entries;
  for (const auto& entry : all) {
    const bool named =
        std::find(options.policies.begin(), options.policies.end(), entry.name) != options.policies.end();
    if (everything || named || &entry == &all.front()) entries.push_back(&entry);
  }
  return entries;
}

kmaf::PreparedTrace read_trace(const std::string& path) {
  try {
    kmaf::PreparedTrace trace([&](const kmaf::PreparedTrace::Sink& sink) {
      kmaf::TraceReader reader(path);
      for (auto block = reader.next(); !block.empty(); block = reader.next()) {
        stop_if_requested();
        for (const kmaf::Access& access : block) sink(access);
      }
    });
    if (trace.records() == 0) throw UsageError(path + ": there is no access in it");
    return trace;
  } catch (const kmaf::TraceError& error) {
    throw UsageError(error.what());
  }
}

// Runs share nothing but what is read: each takes the next one that nobody has taken.
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

kmaf::ReplayResult replay_trace(const std::string& path, const std::string& name,
                                const ReplayOptions& options, const ReplayMachine& machine,
                                const std::vector<const kmaf::PolicyEntry*>& entries) {
  const kmaf::PreparedTrace trace = read_trace(path);
  const double scale = kmaf::scale_of(trace, machine.machine, options.replay);
  kmaf::ReplayResult result{path,
                            name,
                            machine.name,
                            trace.threads(),
                            trace.records(),
                            trace.pages(),
                            options.runs,
                            options.replay.program_seconds,
                            scale,
                            machine.has_energy,
                            kmaf::mapper().missing,
                            {}};
  for (const auto* entry : entries) {
    const int runs = entry->deterministic ? 1 : options.runs;
    result.policies.push_back(
        {entry->name, entry->deterministic, std::vector<kmaf::Outcome>(static_cast<std::size_t>(runs))});
  }
  std::vector<std::function<void()>> runs;
  for (std::size_t policy = 0; policy < entries.size(); ++policy) {
    for (std::size_t i = 0; i < result.policies[policy].outcomes.size(); ++i) {
      runs.emplace_back([&, policy, i] {
        result.policies[policy].outcomes[i] =
            kmaf::replay(trace, machine.machine, *entries[policy], scale, i + 1, options.replay);
      });
    }
  }
  const int jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::thread::hardware_concurrency());
  run_all(runs, std::max(jobs, 1));
  return result;
}

void draw(const std::vector<kmaf::ReplayResult>& programs, const ReplayOptions& options) {
  std::vector<charts::Chart> drawn;
  for (const kmaf::ReplayResult& program : programs) drawn.push_back(charts::replay_chart(program));
  if (programs.size() > 1) {
    for (charts::Chart& chart : charts::program_charts(programs)) drawn.push_back(std::move(chart));
  }
  draw_charts(std::move(drawn), options.plot, {"svg", "png"}, options.json ? nullptr : stdout);
}

void replay_command(ReplayOptions& options) {
  const auto entries = chosen(options);
  const std::vector<std::string> names = program_names(options.traces);
  const ReplayMachine machine = read_replay_machine(options.machine);
  stop_requested();
  options.replay.watch = stop_if_requested;
  std::vector<kmaf::ReplayResult> programs;
  for (std::size_t i = 0; i < options.traces.size(); ++i) {
    programs.push_back(replay_trace(options.traces[i], names[i], options, machine, entries));
    if (options.json) continue;
    print_table(programs.back());
    fmt::print("\n");
    std::fflush(stdout);
  }
  if (options.json) {
    print_json(programs);
  } else if (programs.size() > 1) {
    print_programs(programs);
  }
  if (!options.plot.empty()) draw(programs, options);
}

}  // namespace

void define_kmaf_replay(CLI::App& command) {
  const auto options = std::make_shared<ReplayOptions>();
  command
      .add_option("TRACE", options->traces,
                  "accesses in order: CSV (tid,address,bytes,write) or binary; several: also their means")
      ->required();
  command.add_option("--machine", options->machine, "recorded machine with topology.xml and replay.json")
      ->required();
  command.add_option("--policy", options->policies, "policies, with commas; os is always among them")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--runs", options->runs, "runs of each policy that depends on chance")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option("--seconds", options->replay.program_seconds,
                  "how long the traced program would run under the OS")
      ->check(between(0.1, 1e6))
      ->capture_default_str();
  command.add_option("--jobs", options->jobs, "runs at a time (default: one a CPU)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--json", options->json, "print JSON");
  command.add_option("--plot", options->plot, "folder for the pictures: every policy beside the OS");
  command.callback([options] { replay_command(*options); });
}

}  // namespace gable::cli
