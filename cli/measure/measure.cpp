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
#include "cli/measure/busy.hpp"
#include "cli/measure/cell_list.hpp"
#include "cli/measure/disturbances.hpp"
#include "cli/measure/first_table.hpp"
#include "cli/measure/plan_table.hpp"
#include "cli/measure/progress.hpp"
#include "cli/measure/virt.hpp"
#include "cli/recording.hpp"
#include "cli/text/message.hpp"
#include "cli/text/shell_words.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {

namespace {

// "90", "90s", "5m", "1h".
double seconds_of(const std::string& text) {
  if (text.empty()) return 0;
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  const std::string unit = text.substr(read);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (read == 0 || factor == 0 || !(value > 0)) {
    throw Error::usage(fmt::format("--budget {}: give a time such as 60s, 5m or 1h", text));
  }
  return value * factor;
}

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

// `gable measure --only virt`, where nothing of the plan is wanted.
void measure_only_virt(const MeasureArguments& arguments, const machines::Machine& machine,
                       const machines::Host& host, const std::vector<bench::VirtCell>& cells) {
  if (arguments.plan_only()) {
    std::fputs(virt_plan_text(cells, arguments.folder).c_str(), stdout);
    return;
  }
  const Recording recording(arguments.folder, machine, host);
  if (host.emulated) tell(std::string(machines::emulated_note));
  if (!host.emulated)
    warn_if_busy(virt_seconds_left(cells, arguments.folder),
                 "their time counts as noise, and the visits get a note");
  const VirtOutcome outcome =
      measure_virt(arguments.folder, host, cells, arguments.options.budget_seconds, arguments.quiet);
  std::fputs(outcome.words.c_str(), stdout);
  if (outcome.complete) return;
  fmt::print("`{}` continues\n", arguments.call);
  if (stop_requested()) throw Error::interrupted("interrupted");
}

// `gable measure --dry-run`: the plan and, where virtualization is measured too, its plan and the time of
// both.
std::string dry_run_text(const MeasureArguments& arguments, const bench::Plan& plan, const bench::Done& done,
                         const std::vector<bench::VirtCell>& virt_cells) {
  const std::string text = plan_table(plan, arguments.options, done, arguments.folder);
  if (virt_cells.empty()) return text;
  const std::string virt = "\n" + virt_plan_text(virt_cells, arguments.folder);
  if (arguments.options.budget_seconds > 0)
    return text + virt + "Virtualization is measured in the time that the plan leaves of the budget\n";
  const double seconds = plan_seconds_left(plan, done) + virt_seconds_left(virt_cells, arguments.folder);
  return text + virt + fmt::format("\nBoth together: about {}\n", clock_text(seconds));
}

}  // namespace

void measure(MeasureArguments arguments) {
  const auto begin = std::chrono::steady_clock::now();
  bench::Options& options = arguments.options;
  options.preset = bench::find_preset(arguments.preset);
  if (options.preset == nullptr)
    throw Error::usage(fmt::format("--preset {}: there is no such preset", arguments.preset));
  options.budget_seconds = seconds_of(arguments.budget);
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
  if (!foreign && options.pages.empty() && !bench::huge_pages_can_be_had()) {
    tell(fmt::format("no {} pages here: measuring with {} pages where one size is used",
                     bytes_text(huge_page()), bytes_text(small_page())));
    options.pages = {model::small_pages(), model::huge_pages()};
  }
  const machines::Host host = foreign ? machines::Host{} : machines::this_host();
  check_threads(machine, options);
  const std::optional<VirtRequest> virt = virt_request(options, host, arguments.virt);
  if (arguments.virt == "now" && !virt) {
    std::puts("Virtualization: nothing was left for later");
    return;
  }
  std::vector<bench::VirtCell> virt_cells;
  if (virt) virt_cells = bench::virt_cells(machine, host, virt->options);
  if (virt && virt->alone && arguments.json)
    throw Error::usage(
        "--list --json does not list the cells of virt; leave out --json, or select others with --only");
  if (virt && virt->alone) {
    measure_only_virt(arguments, machine, host, virt_cells);
    return;
  }
  const bench::Plan plan = bench::make_plan(machine, host, options);
  if (arguments.plan_only()) {
    const bench::Done done = recorded_visits(arguments.folder, machine, foreign ? nullptr : &host);
    const std::string text = arguments.json   ? cell_list_json(plan, options, done)
                             : arguments.list ? cell_list(plan, options)
                                              : dry_run_text(arguments, plan, done, virt_cells);
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
  const double after = options.budget_seconds > 0 ? 0 : virt_seconds_left(virt_cells, arguments.folder);
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
  if (virt && !outcome.interrupted && !outcome.out_of_budget) {
    const double left =
        options.budget_seconds > 0 ? std::max(1.0, options.budget_seconds - outcome.seconds) : 0;
    std::fputs(measure_virt(arguments.folder, host, virt_cells, left, arguments.quiet).words.c_str(), stdout);
  }
  std::fputs(closing_words(outcome, disturbances, arguments.folder, arguments.call).c_str(), stdout);
  if (outcome.interrupted || stop_requested()) throw Error::interrupted("interrupted");
}

}  // namespace gable::cli
