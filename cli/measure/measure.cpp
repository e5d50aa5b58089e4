#include "cli/measure/measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/error.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/buffer.hpp"
#include "bench/schedule/make_plan.hpp"
#include "bench/visit/campaign.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure/extras.hpp"
#include "cli/measure/plan_table.hpp"
#include "cli/measure/progress.hpp"
#include "cli/recording.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/message.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {

namespace {

machines::Machine machine_of(const MeasureArguments& arguments) {
  if (!arguments.xml.empty()) return machines::from_xml(arguments.xml);
  if (!arguments.synthetic.empty()) return machines::from_synthetic(arguments.synthetic);
  return machines::this_machine();
}

void check_threads(const machines::Machine& machine, const bench::Options& options) {
  std::size_t most = 0;
  for (const machines::Cluster& cluster : machine.clusters) {
    most = std::max(most, bench::pus_of(cluster, 0, options.smt).size());
  }
  if (static_cast<std::size_t>(options.threads) <= most) return;
  throw Error::usage(fmt::format("--threads {}: the largest cluster has room for {}{}", options.threads, most,
                                 options.smt ? "" : ", one per core (--smt: one per hardware thread)"));
}

std::string closing_words(const bench::Outcome& outcome, const Disturbances& disturbances,
                          const std::string& folder, const std::string& call) {
  std::string text =
      fmt::format("{} measured in {:.0f} s", count_text(outcome.measured, "visit"), outcome.seconds);
  text += disturbances.words(folder);
  if (outcome.skipped > 0) text += fmt::format(", {} skipped", outcome.skipped);
  if (outcome.left_out > 0)
    text += fmt::format(", {} left out as like others", count_text(outcome.left_out, "cell"));
  text += "; ";
  if (outcome.interrupted) {
    text += fmt::format("interrupted, all measurements are kept: `{}` continues\n", call);
  } else if (outcome.out_of_budget) {
    text += fmt::format("the time budget is used up: `{}` continues\n", call);
  } else {
    text += fmt::format("next: gable fit {}\n", shell_quoted(folder));
  }
  return text;
}

// What is measured beside the plan, and not as a Case: lines between cores, and virtualization.
struct Extras {
  std::optional<bench::C2cPlan> c2c;
  std::vector<bench::VirtCell> virt;
  bool alone = false;  // nothing of the plan is wanted

  bool empty() const { return !c2c && virt.empty(); }
};

Extras extras_of(const MeasureArguments& arguments, bench::Options& options, const machines::Machine& machine,
                 const machines::Host& host) {
  Extras extras;
  const bool any = !options.only.empty();
  const std::optional<VirtRequest> virt = virt_request(options, host, arguments.virt);
  const std::optional<C2cRequest> c2c = c2c_request(options, any, arguments.virt);
  if (virt) extras.virt = bench::virt_cells(machine, host, virt->options);
  if (c2c) extras.c2c = bench::c2c_plan(machine, host, c2c->options, recorded_c2c(arguments.folder));
  extras.alone = (virt && virt->alone) || (c2c && c2c->alone);
  return extras;
}

double seconds_left(const Extras& extras, const std::string& folder) {
  const double c2c = extras.c2c ? bench::left_of(*extras.c2c, recorded_c2c(folder)).seconds : 0;
  return c2c + virt_seconds_left(extras.virt, folder);
}

std::string plan_text(const Extras& extras, const std::string& folder) {
  std::string text = extras.c2c ? c2c_plan_text(*extras.c2c, folder) : "";
  if (extras.c2c && !extras.virt.empty()) text += "\n";
  return extras.virt.empty() ? text : text + virt_plan_text(extras.virt, folder);
}

// Returns whether everything was visited.
bool measure_extras(const MeasureArguments& arguments, const machines::Machine& machine,
                    const machines::Host& host, const Extras& extras, double budget) {
  const auto begin = std::chrono::steady_clock::now();
  bool complete = true;
  if (extras.c2c) {
    const ExtraOutcome outcome =
        measure_c2c(arguments.folder, machine, host, *extras.c2c, budget,
                    virt_seconds_left(extras.virt, arguments.folder), arguments.quiet);
    std::fputs(outcome.words.c_str(), stdout);
    complete = outcome.complete;
  }
  if (extras.virt.empty() || !complete) return complete;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (budget > 0) budget = std::max(1.0, budget - spent.count());
  const ExtraOutcome outcome = measure_virt(arguments.folder, host, extras.virt, budget, arguments.quiet);
  std::fputs(outcome.words.c_str(), stdout);
  return outcome.complete;
}

// `gable measure --only c2c` and `--only virt`, where nothing of the plan is wanted.
void measure_only_extras(const MeasureArguments& arguments, const machines::Machine& machine,
                         const machines::Host& host, const Extras& extras) {
  if (arguments.json)
    throw Error::usage(
        "--list --json does not list the cells of c2c and virt; leave out --json, or select others with "
        "--only");
  if (arguments.plan_only()) {
    std::fputs(plan_text(extras, arguments.folder).c_str(), stdout);
    return;
  }
  const Recording recording(arguments.folder, machine, host);
  if (host.emulated) tell(std::string(machines::emulated_note));
  if (!host.emulated)
    warn_if_busy(seconds_left(extras, arguments.folder),
                 extras.c2c ? "figures between cores are invalid, and those of virtualization get a note"
                            : "their time counts as noise, and the visits get a note");
  if (measure_extras(arguments, machine, host, extras, arguments.options.budget_seconds)) return;
  fmt::print("`{}` continues\n", arguments.call);
  if (stop_requested()) throw Error::interrupted("interrupted");
}

// `gable measure --dry-run`: the plan and that of what is measured beside it, and the time of all.
std::string dry_run_text(const MeasureArguments& arguments, const bench::Plan& plan, const bench::Done& done,
                         const Extras& extras) {
  const std::string text = plan_table(plan, arguments.options, done, arguments.folder);
  if (extras.empty()) return text;
  const std::string others = "\n" + plan_text(extras, arguments.folder);
  if (arguments.options.budget_seconds > 0)
    return text + others + "\nThe latter is measured in the time that the first plan leaves of the budget\n";
  const double seconds = plan_seconds_left(plan, done) + seconds_left(extras, arguments.folder);
  return text + others + fmt::format("\nTogether: about {}\n", clock_text(seconds));
}

}  // namespace

void measure(MeasureArguments arguments) {
  const auto begin = std::chrono::steady_clock::now();
  bench::Options& options = arguments.options;
  options.preset = bench::find_preset(arguments.preset);
  if (options.preset == nullptr)
    throw Error::usage(fmt::format("--preset {}: there is no such preset", arguments.preset));
  if (!arguments.budget.empty())
    options.budget_seconds = seconds_from(arguments.budget, "--budget", "60s, 5m or 1h");
  const bool foreign = !arguments.xml.empty() || !arguments.synthetic.empty();
  if (foreign && !arguments.plan_only())
    throw Error::usage("--xml and --synthetic describe another machine: use them with --dry-run or --list");
  if (arguments.folder.empty() && !arguments.plan_only())
    throw Error::usage("DIR is missing: name a folder for the samples");

  const machines::Machine machine = machine_of(arguments);
  if (!machine.is_this_host && !foreign && !arguments.plan_only()) {
    throw Error::usage(
        "HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine: unset it, or add --dry-run");
  }
  options.gets_huge_pages = !foreign && bench::huge_pages_can_be_had();
  if (!foreign && options.pages.empty() && !options.gets_huge_pages) {
    tell(fmt::format("no {} pages here: measuring with {} pages where one size is used",
                     bytes_text(huge_page()), bytes_text(small_page())));
    options.pages = {model::small_pages(), model::huge_pages()};
  }
  const machines::Host host = foreign ? machines::Host{} : machines::this_host();
  check_threads(machine, options);
  const Extras extras = extras_of(arguments, options, machine, host);
  if (arguments.virt == "now" && extras.virt.empty()) {
    std::puts("Virtualization: nothing was left for later");
    return;
  }
  if (extras.alone) {
    measure_only_extras(arguments, machine, host, extras);
    return;
  }
  const bench::Plan plan = bench::make_plan(machine, host, options);
  if (arguments.plan_only()) {
    const bench::Done done = recorded_visits(arguments.folder, machine, foreign ? nullptr : &host);
    const double after = seconds_left(extras, arguments.folder);
    const std::string text = arguments.json   ? cell_list_json(plan, options, done, after)
                             : arguments.list ? cell_list(plan, options)
                                              : dry_run_text(arguments, plan, done, extras);
    std::fputs(text.c_str(), stdout);
    return;
  }
  Recording recording(arguments.folder, machine, host);
  if (host.emulated) tell(std::string(machines::emulated_note));
  if (!host.emulated) warn_if_busy(plan.seconds, "figures of memory and shared caches are invalid");
  if (options.budget_seconds > 0) {  // the budget is that of the whole command
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    options.budget_seconds = std::max(1e-3, options.budget_seconds - spent.count());
  }
  const double after = options.budget_seconds > 0 ? 0 : seconds_left(extras, arguments.folder);
  ProgressLine line(arguments.quiet, {.seconds_after = after, .goal = arguments.goal});
  FirstTable first_table(arguments.folder);
  Disturbances disturbances;
  const bench::Hooks hooks = {
      [&](const model::Sample& sample) {
        recording.record(sample);
        disturbances.add(sample);
      },
      [&](const bench::Progress& progress) {
        if (!arguments.quiet && first_table.is_due(progress.seconds_left)) {
          line.finish();
          first_table.print();
        }
        show(line, progress);
      },
      model::relative_half_width,
  };
  const bench::Outcome outcome =
      bench::run_campaign(machine, host, plan, options, recording.done(), hooks, stop_requested());
  line.finish();
  if (!extras.empty() && !outcome.interrupted && !outcome.out_of_budget) {
    const double left =
        options.budget_seconds > 0 ? std::max(1.0, options.budget_seconds - outcome.seconds) : 0;
    measure_extras(arguments, machine, host, extras, left);
  }
  std::fputs(closing_words(outcome, disturbances, arguments.folder, arguments.call).c_str(), stdout);
  if (outcome.interrupted || stop_requested()) throw Error::interrupted("interrupted");
}

}  // namespace gable::cli
