#include <CLI/CLI.hpp>
#include <memory>

#include "cli/bench/bench.hpp"
#include "cli/options/command_tree.hpp"
#include "cli/options/commands.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/validators.hpp"
#include "kernels/kernel.hpp"

namespace gable::cli {

void define_bench(CLI::App& command) {
  const auto arguments = std::make_shared<BenchArguments>();
  bench::Options& options = arguments->options;
  command.add_option("OP", arguments->single.op, "what to measure")
      ->required()
      ->check(suggested(bench::single_operations()));
  command
      .add_option("SIZE", arguments->single.bytes,
                  "working set of all threads together, such as 64M or 64MiB (64MB: 64e6 bytes); default: "
                  "much larger than the caches")
      ->transform(size_in_bytes());
  command.add_option("--threads", options.threads, "number of threads; default: one per core of the cluster")
      ->check(integer(1, 1 << 20));
  command.add_flag("--smt", options.smt, "one thread per hardware thread instead of per core");
  command.add_option("--cluster", arguments->single.cluster, "cluster on whose cores to run")
      ->check(not_negative())
      ->capture_default_str();
  command.add_option("--node", arguments->single.node, "memory node of the data; default: the cluster's own")
      ->check(not_negative());
  command.add_option("--isa", options.isa, "instruction set; default: the fastest that this CPU supports")
      ->check(one_of(kernels::isas(kernels::every_feature)));
  add_pages(command, options.pages, "page size; default: 2m if available")
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--seconds", arguments->single.seconds, "time to measure for")
      ->check(number_between(0.05, 3600))
      ->capture_default_str();
  command.add_flag("--json", arguments->json, "print JSON");
  add_note(
      command,
      {"Bytes are those that instructions request: a plain store counts once. Nothing is written to disk. If "
       "there is no valid figure, gable prints the reason and exits with status 1.",
       {}});
  command.callback([arguments] { measure_single(*arguments); });
}

}  // namespace gable::cli
