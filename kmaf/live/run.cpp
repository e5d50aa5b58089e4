#include "kmaf/live/run.hpp"

#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <system_error>

#include "base/clocks.hpp"
#include "base/lists.hpp"
#include "kmaf/live/guardian/guardian.hpp"
#include "kmaf/live/plan.hpp"
#include "kmaf/live/policies/manager.hpp"
#include "kmaf/live/policies/oracle.hpp"
#include "kmaf/live/policies/standing.hpp"
#include "kmaf/live/program/inherited.hpp"
#include "kmaf/live/samplers/store_counter.hpp"
#include "machines/affinity.hpp"

namespace gable::kmaf::live {

namespace {

// The polling interval: short while events arrive, longer while there are none.
constexpr int short_tick_ms = 10, long_tick_ms = 40;

// The kernel's counts of hint faults and moved pages, on the whole machine.
struct KernelCounts {
  std::optional<std::uint64_t> faults, moved;

  explicit KernelCounts(const std::filesystem::path& root) {
    std::ifstream file(root / "proc/vmstat");
    std::string name;
    for (std::uint64_t value = 0; file >> name >> value;) {
      if (name == "numa_hint_faults") faults = value;
      if (name == "numa_pages_migrated") moved = value;
    }
  }
};

void wait_for_news(const RunningProgram& program, const Sampler* sampler, int tick_ms) {
  std::vector<pollfd> descriptors;
  if (program.descriptor() >= 0) descriptors.push_back({program.descriptor(), POLLIN, 0});
  if (sampler != nullptr) {
    for (const int fd : sampler->descriptors()) descriptors.push_back({fd, POLLIN, 0});
  }
  const bool sleeps = sampler == nullptr && !descriptors.empty();
  poll(descriptors.data(), descriptors.size(), sleeps ? -1 : tick_ms);
}

void count_tasks(const Events& events, Report& report) {
  for (const Event& event : events) {
    if (event.kind != Event::Kind::started) continue;
    ++(event.pid == event.tid ? report.processes_seen : report.threads_seen);
  }
}

// Runs until the program has ended, then processes its last events. If management fails, the program
// continues without it, and this still waits for its end.
Ending watch(RunningProgram& program, Sampler* sampler, Management& management, Report& report) {
  std::optional<Ending> ending;
  int tick_ms = short_tick_ms;
  while (!ending) {
    wait_for_news(program, sampler, tick_ms);
    ending = program.ended();
    if (sampler == nullptr) continue;
    try {
      const Events events = sampler->read();
      tick_ms = events.empty() ? std::min(2 * tick_ms, long_tick_ms) : short_tick_ms;
      count_tasks(events, report);
      management.take(events, monotonic_seconds());
    } catch (const std::exception& error) {
      report.notes.push_back({model::NoteCode::management_stopped, {error.what()}});
      report.managed = false;
      sampler = nullptr;
    }
  }
  return *ending;
}

// Empty if no places are tried, or if the counter cannot be opened for lack of descriptors or memory.
std::function<std::optional<double>()> progress_of(const Plan& plan, const RunningProgram& program,
                                                   Report& report) {
  if (!plan.stores) return {};
  try {
    const auto counter = std::make_shared<StoreCounter>(program.pid(), *plan.stores);
    return [counter] { return counter->count(); };
  } catch (const std::system_error& error) {
    report.notes.push_back({model::NoteCode::counter_not_opened, {error.what()}});
    return {};
  }
}

std::unique_ptr<Management> management_of(const Plan& plan, const Options& options,
                                          const Hierarchy& hierarchy, Sampler* sampler, Binder& binder,
                                          const RunningProgram& program, double sample_seconds,
                                          Report& report) {
  if (plan.policy == Policy::compact)
    return std::make_unique<Bound>(compact_order(hierarchy), binder, program.pid(), monotonic_seconds());
  if (plan.policy == Policy::random)
    return std::make_unique<Bound>(random_order(hierarchy, std::random_device{}()), binder, program.pid(),
                                   monotonic_seconds());
  if (plan.policy == Policy::oracle) {
    Oracle::Setup setup{options.knowledge, options.threads, options.pages && plan.fixes_addresses,
                        options.budget,    program.pid(),   monotonic_seconds()};
    return std::make_unique<Oracle>(std::move(setup), hierarchy, *sampler, running_kernel(), binder);
  }
  if (plan.policy != Policy::kmaf) return std::make_unique<Undisturbed>();
  Manager::Setup setup;
  setup.config.map_threads = options.threads;
  setup.config.move_pages = options.pages;
  setup.config.page_bytes = options.unit_bytes;
  setup.budget = options.budget;
  setup.fault_seconds = sample_seconds;
  setup.program = program.pid();
  setup.began = monotonic_seconds();
  setup.learns = plan.learns;
  setup.progress = progress_of(plan, program, report);
  setup.config.trials = setup.progress != nullptr;
  return std::make_unique<Manager>(setup, hierarchy, *sampler, running_kernel(), binder);
}

// If the sampler cannot be attached for lack of descriptors or memory, the program runs unmanaged.
std::unique_ptr<Sampler> attached(Plan& plan, const RunningProgram& program, Report& report) {
  std::unique_ptr<Sampler> sampler = plan.follows ? make_follower() : std::move(plan.sampler);
  if (!sampler) return sampler;
  try {
    sampler->attach(program.pid());
  } catch (const std::system_error& error) {
    report.notes.push_back({model::NoteCode::ran_unmanaged, {error.what()}});
    report.managed = false;
    report.sampler.clear();
    plan.policy = Policy::os;
    sampler.reset();
  }
  return sampler;
}

// The cost of a sample; 0 if there are none.
double measured_sample_seconds(Sampler* sampler, Report& report) {
  if (report.sampler.empty() || sampler == nullptr) return 0;
  const double seconds = sampler->sample_seconds();
  if (seconds <= 0) report.notes.emplace_back(model::NoteCode::sample_cost_unknown);
  return seconds;
}

void tell_kernel_counts(const KernelCounts& before, const std::filesystem::path& root, Report& report) {
  const KernelCounts after(root);
  if (before.faults && after.faults) report.kernel_hint_faults = *after.faults - *before.faults;
  if (before.moved && after.moved) report.kernel_pages_moved = *after.moved - *before.moved;
}

// Os indices of the nodes that this process may use, with or without cores.
std::vector<unsigned> memory_nodes(const machines::Machine& machine) {
  return each_of(machine.nodes, &machines::Node::os_index);
}

}  // namespace

Report run(const Options& options, const machines::Machine& machine,
           const std::function<void(const model::Note&)>& say) {
  occupy_standard_descriptors();
  Report report;
  report.budget = options.budget;
  Settings settings(options.root);
  Hierarchy hierarchy = hierarchy_of(machine);
  if (options.cost && !use_measured_costs(hierarchy, options.cost))
    report.notes.emplace_back(model::NoteCode::costs_not_used);
  Plan plan = plan_of(options, settings, hierarchy.nodes, memory_nodes(machine), report);
  for (const model::Note& note : report.notes) say(note);
  Journal journal = journal_for(plan, settings, report.notes);
  settings.record_in(journal);
  const KernelCounts counts_before(options.root);
  const bool balances = plan.balancing || balancing_is_on(settings);
  const std::vector<unsigned> allowed = machines::affinity_of(0);
  std::optional<Guardian> guardian;
  if (plan.changes_something) guardian.emplace(journal, options.root);
  const OpenFiles open_files;
  const auto prepare = [&] {
    open_files.give_back();
    if (options.no_huge_pages) deny_huge_pages();
    if (!plan.interleaved.empty()) interleave(plan.interleaved);
    if (plan.fixes_addresses) fix_addresses();
  };
  RunningProgram program({.command = options.command, .prepare = prepare, .waits = true});
  const std::unique_ptr<Sampler> sampler = attached(plan, program, report);
  const double sample_seconds = measured_sample_seconds(sampler.get(), report);
  if (plan.balancing) switch_balancing_on(settings);
  Binder binder(running_kernel(), journal, allowed);
  const auto management =
      management_of(plan, options, hierarchy, sampler.get(), binder, program, sample_seconds, report);
  program.go();
  report.ending = watch(program, sampler.get(), *management, report);
  report.cpu_seconds = report.ending.usage.cpu_seconds();
  // Processes without a wait, such as daemons, are only in the sampler's account.
  if (sampler) report.cpu_seconds = std::max(report.cpu_seconds, sampler->cpu_seconds().value_or(0));
  management->finish(report);
  if (report.learned) {
    if (report.lost > 0) report.notes.push_back({model::NoteCode::events_lost, {double(report.lost)}});
    report.learned->command = options.command;
    report.learned->no_huge_pages = options.no_huge_pages;
    if (!plan.fixes_addresses) report.learned->pages.clear();
    if (report.learned->tasks.empty() || (plan.fixes_addresses && report.learned->pages.empty()))
      report.learned.reset();
  }
  report.threads = binder.moves();
  report.samples_per_second =
      report.ending.seconds > 0 ? static_cast<double>(report.samples) / report.ending.seconds : 0;
  // Pages hidden earlier still cause faults after balancing was switched off.
  if (balances) tell_kernel_counts(counts_before, options.root, report);
  if (guardian) {
    for (const std::string& line : guardian->dismiss()) {
      report.notes.emplace_back(line);
      say(report.notes.back());
    }
  }
  return report;
}

}  // namespace gable::kmaf::live
