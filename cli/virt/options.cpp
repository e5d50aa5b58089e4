#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "cli/virt/virt.hpp"

namespace gable::cli {

namespace {

void define_virt_show(CLI::App& command) {
  const auto arguments = std::make_shared<VirtShowArguments>();
  add_folder(command, "DIR", arguments->folder, "folder that gable measure --only virt recorded")->required();
  add_folder(command, "--native", arguments->native,
             "folder of the same hardware without a hypervisor: helps to tell nested from shadow paging");
  command.callback([arguments] { virt_show(*arguments); });
}

void define_virt_scale(CLI::App& command) {
  const auto arguments = std::make_shared<VirtScaleArguments>();
  auto* folder = add_folder(command, "DIR", arguments->folder, "folder with recorded noise");
  command
      .add_option("--share", arguments->share,
                  "synthetic noise that takes this share of the time, in per cent, such as 1%")
      ->transform(percentage())
      ->check(number_between(0, 90))
      ->excludes(folder);
  command.add_option("--period", arguments->period, "time between detours of synthetic noise")
      ->capture_default_str();
  command.add_flag("--random", arguments->random,
                   "synthetic noise comes at random, with exponentially distributed lengths");
  command.add_option("--nodes", arguments->nodes, "simulate 1, 2, 4, ... and this many nodes")
      ->check(integer(1, 10'000'000))
      ->capture_default_str();
  command
      .add_option("--steps", arguments->options.steps,
                  "number of steps: every node computes, then waits for all others")
      ->check(integer(1, 1'000'000))
      ->capture_default_str();
  command.add_option("--compute", arguments->compute, "computing time of a step, such as 10ms or 500us")
      ->capture_default_str();
  command.add_flag("--strong", arguments->options.strong,
                   "strong scaling: the nodes share the computing of a step");
  command.add_option("--collective", arguments->collective, "how nodes wait for each other")
      ->check(one_of({"dissemination", "tree"}))
      ->capture_default_str();
  command.add_option("--latency", arguments->latency, "latency of a message")->capture_default_str();
  command.add_option("--overhead", arguments->overhead, "CPU time to send or receive a message")
      ->capture_default_str();
  command.add_flag("--json", arguments->json, "print JSON");
  add_folder(command, "-o,--output", arguments->output,
             "draw the slowdown against the number of nodes into this folder");
  add_format_options(command, arguments->pictures);
  command.callback([arguments] { virt_scale(*arguments); });
}

void define_virt_advise(CLI::App& command) {
  const auto arguments = std::make_shared<VirtAdviseArguments>();
  add_folder(command, "NATIVE", arguments->native, "folder of the hardware without a hypervisor")->required();
  add_folder(command, "GUEST", arguments->guest,
             "folder of a guest on that hardware, to compare the predictions with");
  model::VirtWorkload& workload = arguments->workload;
  auto* misses = command
                     .add_option("--tlb-misses", workload.misses_4k,
                                 "page walks per second in a native run with 4 KiB pages")
                     ->check(not_negative());
  auto* huge = command
                   .add_option("--tlb-misses-2m", workload.misses_2m,
                               "page walks with 2 MiB pages for the work of such a second (default: 1/512 of "
                               "these)")
                   ->check(not_negative());
  command
      .add_option("--maps", workload.maps,
                  "page-table entries that change per second: faults, munmap, mprotect")
      ->check(not_negative());
  command.add_option("--switches", workload.switches, "switches of the address space per second")
      ->check(not_negative());
  command
      .add_option("--pages-per-switch", workload.pages_per_switch,
                  "pages touched after a switch, which shadow paging without a cache maps anew")
      ->check(not_negative());
  add_file(command, "--trace", arguments->trace,
           "count the page walks in this trace of gable kmaf trace; needs --seconds")
      ->excludes(misses)
      ->excludes(huge);
  command
      .add_option("--seconds", arguments->trace_seconds,
                  "run time of the traced part, natively with 4 KiB pages")
      ->check(positive());
  command
      .add_option("--exit-us", arguments->exit.us,
                  "time of an exit from the guest and the return, with shadow paging")
      ->check(positive())
      ->capture_default_str();
  command.callback([arguments] { virt_advise(*arguments); });
}

}  // namespace

void define_virt(CLI::App& command) {
  command.require_subcommand(1);
  define_virt_show(
      *command.add_subcommand("show", "show what a folder has: walks, mapping, noise, programs"));
  define_virt_scale(*command.add_subcommand("scale", "simulate what noise does to a program on many nodes"));
  define_virt_advise(
      *command.add_subcommand("advise", "predict whether nested or shadow paging is better for a workload"));
}

}  // namespace gable::cli
