// gable measure DIR: measures this machine into a folder.

#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "bench/buffers/buffer.hpp"
#include "bench/plan/plan.hpp"
#include "bench/visit/campaign.hpp"
#include "cli/bytes_option.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure/plan_table.hpp"
#include "cli/measure/progress.hpp"
#include "cli/recording.hpp"
#include "cli/shell_words.hpp"
#include "kernels/kernel.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {

namespace {

struct MeasureArguments {
  std::string folder;
  std::string preset = "standard";
  std::string budget;
  std::string xml, synthetic;
  bool dry_run = false;
  bool quiet = false;
  bench::Options options;
};

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
    throw UsageError(fmt::format("--budget {}: give a time such as 60s, 5m or 1h", text));
  }
  return value * factor;
}

std::string preset_names() {
  std::string names;
  for (const bench::Preset& preset : bench::presets()) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", preset.name, preset.summary);
  }
  return names;
}

machines::Machine machine_of(const MeasureArguments& arguments) {
  if (!arguments.xml.empty()) return machines::from_xml(arguments.xml);
  if (!arguments.synthetic.empty()) return machines::from_synthetic(arguments.synthetic);
  return machines::this_machine();
}

bench::Plan plan_of(const machines::Machine& machine, const machines::Host& host,
                    const bench::Options& options) {
  try {
    return bench::make_plan(machine, host, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

void check_threads(const machines::Machine& machine, const bench::Options& options) {
  std::size_t most = 0;
  for (const machines::Cluster& cluster : machine.clusters) {
    most = std::max(most, bench::pus_of(cluster, 0, options.smt).size());
  }
  if (static_cast<std::size_t>(options.threads) <= most) return;
  throw UsageError(fmt::format("--threads {}: the largest cluster has room for {}{}", options.threads, most,
                               options.smt ? "" : ", one a core (--smt: one a hardware thread)"));
}

std::string closing_words(const bench::Outcome& outcome, const std::string& folder, const std::string& call) {
  std::string text = fmt::format("{} visit{} measured in {:.0f} s", outcome.measured,
                                 outcome.measured == 1 ? "" : "s", outcome.seconds);
  if (outcome.invalid > 0) text += fmt::format(", {} invalid", outcome.invalid);
  if (outcome.skipped > 0) text += fmt::format(", {} skipped", outcome.skipped);
  if (outcome.invalid > outcome.measured) text += " (others were at work; 'gable fit' says what spoilt them)";
  text += "; ";
  if (outcome.interrupted) {
    text += fmt::format("interrupted, all that was measured is kept: `{}` goes on from here\n", call);
  } else if (outcome.out_of_budget) {
    text += fmt::format("the budget is spent: `{}` goes on from here\n", call);
  } else {
    text += fmt::format("next: gable fit {}\n", shell_quoted(folder));
  }
  return text;
}

void measure(MeasureArguments arguments, const CLI::App& command) {
  bench::Options& options = arguments.options;
  options.preset = bench::find_preset(arguments.preset);
  if (options.preset == nullptr)
    throw UsageError(fmt::format("--preset {}: presets are {}", arguments.preset, preset_names()));
  options.budget_seconds = seconds_of(arguments.budget);
  const bool foreign = !arguments.xml.empty() || !arguments.synthetic.empty();
  if (foreign && !arguments.dry_run)
    throw UsageError("--xml and --synthetic describe another machine: add --dry-run to see its plan");
  if (arguments.folder.empty() && !arguments.dry_run)
    throw UsageError("DIR is missing: where shall the samples go?");

  const machines::Machine machine = machine_of(arguments);
  if (!machine.is_this_host && !foreign && !arguments.dry_run) {
    throw UsageError(
        "HWLOC_XMLFILE or HWLOC_SYNTHETIC shows another machine than this one: unset it, or add --dry-run");
  }
  if (!foreign && options.pages.empty() && !bench::huge_pages_can_be_had()) {
    std::fputs("gable: no 2 MiB pages here, so 4 KiB pages stand for all that is measured with one size\n",
               stderr);
    options.pages = {"4k", "2m"};
  }
  const machines::Host host = foreign ? machines::Host{} : machines::this_host();
  check_threads(machine, options);
  const bench::Plan plan = plan_of(machine, host, options);
  if (arguments.dry_run) {
    const bench::Done done = recorded_visits(arguments.folder, machine, foreign ? nullptr : &host);
    std::fputs(plan_table(plan, options, done, arguments.folder).c_str(), stdout);
    return;
  }
  Recording recording(arguments.folder, machine, host);
  if (host.emulated) fmt::print(stderr, "gable: {}\n", machines::emulated_note);
  ProgressLine line(arguments.quiet);
  const bench::Hooks hooks = {
      [&](const model::Sample& sample) { recording.record(sample); },
      [&](const bench::Progress& progress) { line.show(progress); },
      model::relative_half_width,
  };
  const bench::Outcome outcome =
      bench::run_campaign(machine, host, plan, options, recording.done(), hooks, stop_requested());
  line.finish();
  std::fputs(closing_words(outcome, arguments.folder, call_text(command)).c_str(), stdout);
  if (outcome.interrupted) throw Interrupted("interrupted");
}

}  // namespace

void define_measure(CLI::App& command) {
  auto arguments = std::make_shared<MeasureArguments>();
  bench::Options& options = arguments->options;
  command.add_option("DIR", arguments->folder,
                     "folder of the recorded machine; what is there is not measured again");
  command.add_option("--preset", arguments->preset, preset_names())->capture_default_str();
  command.add_option("--budget", arguments->budget,
                     "time limit, such as 60s or 5m; the most informative cells come first");
  command
      .add_option("--only", options.only,
                  "only cells with these values, such as 'load,L3' or 'pattern=remote,cluster=0'; a "
                  "comma means and, a repeated --only means or")
      ->allow_extra_args(false);
  command.add_option(
      "--isa", options.isa,
      "force sse2, avx2 or avx512; default: the widest this CPU runs, and AVX2 beside AVX-512");
  command.add_option("--pages", options.pages, "page sizes: 4k, 2m, 1g or several; default: 4k and 2m")
      ->delimiter(',');
  command.add_option("--threads", options.threads, "threads per cluster; default: one per core")
      ->check(CLI::Range(1, 1 << 20));
  command
      .add_option(
          "--memory-set", options.memory_set_bytes,
          "working set of a cluster in memory, such as 64M or 64MiB (64MB: 64e6 bytes): at least twice its "
          "last-level caches; "
          "default: four times these and at least 256M")
      ->transform(size_in_bytes());
  command.add_flag("--smt", options.smt, "one thread per hardware thread instead of per core");
  command.add_flag("--dry-run", arguments->dry_run,
                   "measure nothing: show the plan, what of it DIR lacks, and the time this takes");
  command.add_flag("--quiet", arguments->quiet, "no progress");
  auto* xml = command.add_option("--xml", arguments->xml, "with --dry-run: the plan for this hwloc topology");
  command
      .add_option("--synthetic", arguments->synthetic, "with --dry-run: the plan for this hwloc description")
      ->excludes(xml);
  command.callback([arguments, &command] { measure(*arguments, command); });
}

}  // namespace gable::cli
