#include "cli/kmaf/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/reading.hpp"
#include "cli/folder.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/machine.hpp"
#include "cli/kmaf/trace.hpp"
#include "cli/text/message.hpp"
#include "kmaf/replay/oracle.hpp"
#include "kmaf/replay/runs.hpp"
#include "plots/charts/kmaf/charts.hpp"

namespace gable::cli {

namespace {

// The progress of the runs for one purpose, on a terminal.
class ReplayProgress {
 public:
  // `part` stands before the percentage, `purpose` behind it.
  ReplayProgress(const std::string& part, std::string purpose)
      : line_(false, {.part = part, .terminal_only = true}), purpose_(std::move(purpose)) {}

  // `ended` of `all` runs have ended. Several threads may call it.
  void show(int ended, int all) {
    const std::lock_guard lock(guard_);
    if (ended <= ended_) return;  // another thread has told a later one
    ended_ = ended;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    line_.show(ended, all, spent.count() / ended * (all - ended), purpose_);
  }

 private:
  std::mutex guard_;
  ProgressLine line_;
  std::string purpose_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int ended_ = 0;
};

// The requested policies in the table's order, always including the OS, with which the others are
// compared.
std::vector<const kmaf::PolicyEntry*> chosen(const KmafReplayArguments& arguments) {
  const auto& all = kmaf::policies();
  const bool everything = is_among(arguments.policies, "all");
  std::vector<const kmaf::PolicyEntry*> entries;
  for (const auto& entry : all) {
    const bool named = std::find(arguments.policies.begin(), arguments.policies.end(), entry.name) !=
                       arguments.policies.end();
    if (everything || named || &entry == &all.front()) entries.push_back(&entry);
  }
  return entries;
}

kmaf::ParallelOrder read_trace(const std::string& path) {
  return reading(path, [&] {
    kmaf::ParallelOrder order;
    kmaf::TraceReader reader(path, true);
    for (auto block = reader.next(); !block.empty(); block = reader.next()) {
      stop_if_requested();
      for (const kmaf::Access& access : block) order.take(access);
    }
    return order;
  });
}

// The trace of another run, by which the oracle maps the threads of the one at `path`.
std::string known_for(const std::string& path, const std::string& knowing) {
  if (!std::filesystem::is_directory(knowing)) return knowing;
  return std::filesystem::path(knowing) / std::filesystem::path(path).filename();
}

kmaf::ProgramOrders orders_of(const std::string& path, const ReplayMachine& machine,
                              const KmafReplayArguments& arguments) {
  kmaf::ParallelOrder order = read_trace(path);
  return reading(path, [&] {
    return kmaf::ProgramOrders(std::move(order), arguments.iterations, machine.machine, arguments.replay);
  });
}

// The oracle knows an earlier run of the trace, or the trace of another run.
kmaf::OracleChoice oracle_choice(kmaf::ProgramOrders& orders, const std::string& path,
                                 const std::string& known, const std::string& part,
                                 const ReplayMachine& machine, const KmafReplayArguments& arguments) {
  kmaf::ReplayOptions options = arguments.replay;
  ReplayProgress progress(part, "the oracle tries places");
  options.progress = std::bind_front(&ReplayProgress::show, &progress);
  const auto best = [&](kmaf::ProgramOrders& of) {
    return kmaf::best_for(of, arguments.runs, machine.machine, options, arguments.jobs);
  };
  if (known.empty()) return best(orders);
  kmaf::ProgramOrders others = orders_of(known, machine, arguments);
  const int threads = others.first().threads(), wanted = orders.first().threads();
  if (threads != wanted)
    throw Error::usage(fmt::format("{}: {} threads, but {} has {}", known, threads, path, wanted));
  return best(others);
}

// "SP.64", or "SP.64 (3 of 28)".
std::string part_words(const std::string& name, const std::string& path,
                       const std::vector<std::string>& traces) {
  if (traces.size() == 1) return name;
  const auto before = std::ranges::find(traces, path) - traces.begin();
  return fmt::format("{} ({} of {})", name, before + 1, traces.size());
}

kmaf::ReplayResult replay_trace(const std::string& path, const std::string& name,
                                const KmafReplayArguments& arguments, const ReplayMachine& machine,
                                const std::vector<const kmaf::PolicyEntry*>& entries) {
  kmaf::ProgramOrders orders = orders_of(path, machine, arguments);
  const kmaf::PreparedTrace& trace = orders.first();
  const std::string known = arguments.knowing.empty() ? "" : known_for(path, arguments.knowing);
  kmaf::ReplayOptions options = arguments.replay;
  const std::string part = part_words(name, path, arguments.traces);
  if (is_among(entries, &kmaf::oracle_policy())) {
    const kmaf::OracleChoice best = oracle_choice(orders, path, known, part, machine, arguments);
    options.mapping = best.mapping;
    options.pages = best.pages;
  }
  ReplayProgress progress(part, "the policies run");
  options.progress = std::bind_front(&ReplayProgress::show, &progress);
  return {path,
          name,
          machine.name,
          trace.threads(),
          trace.accesses(),
          trace.steady_accesses(),
          trace.pages(),
          trace.bytes_of_access(),
          arguments.runs,
          options.program_seconds,
          orders.first_scale(),
          trace.is_looped() ? options.passes : 1,
          machine.has_energy,
          machine.machine.has_l3 ? 3 : 2,
          kmaf::mapper().missing,
          kmaf::run_policies(orders, machine.machine, entries, arguments.runs, arguments.jobs, options),
          machine.between_cores,
          machine.derived,
          machine.machine.unused,
          known};
}

// The traces of a suite, by name.
std::vector<std::string> traces_of(const std::string& folder) {
  std::vector<std::string> traces;
  if (!std::filesystem::is_directory(folder)) throw Error::usage(folder + ": no such folder");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".trace") traces.push_back(entry.path());
  }
  if (traces.empty())
    throw Error::usage(folder + ": no traces (*.trace); tests/bench/kmaf_suite.py makes some");
  std::sort(traces.begin(), traces.end());
  return traces;
}

void draw(const std::vector<kmaf::ReplayResult>& programs, const KmafReplayArguments& arguments) {
  std::vector<charts::Chart> drawn;
  for (const kmaf::ReplayResult& program : programs)
    drawn.push_back(charts::replay_chart(charts::ratios_of(program), arguments.pictures.column));
  if (programs.size() > 1 || !arguments.suite.empty())
    add_all(drawn, charts::program_charts(programs, !arguments.suite.empty(), arguments.pictures.column));
  draw_charts(std::move(drawn), arguments.plot, arguments.pictures, arguments.json ? nullptr : stdout);
}

}  // namespace

void replay_traces(KmafReplayArguments arguments) {
  const bool is_suite = !arguments.suite.empty();
  if (is_suite == !arguments.traces.empty())
    throw Error::usage("give traces, or --suite with a folder of them");
  if (is_suite) arguments.traces = traces_of(arguments.suite);
  const auto entries = chosen(arguments);
  if (!arguments.knowing.empty() && !is_among(entries, &kmaf::oracle_policy()))
    throw Error::usage("--knowing is for --policy oracle, which is not among the policies");
  const std::vector<std::string> names = program_names(arguments.traces);
  const ReplayMachine machine = read_replay_machine(machine_folder(arguments.machine));
  const std::vector<model::Point> own = arguments.points
                                            ? unmanaged_points(machine_folder(arguments.machine), names)
                                            : std::vector<model::Point>{};
  stop_requested();
  arguments.replay.watch = stop_if_requested;
  if (arguments.iterations > 1) arguments.replay.passes = arguments.iterations;
  if (arguments.jobs == 0)
    arguments.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
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
