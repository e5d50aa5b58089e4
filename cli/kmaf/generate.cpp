// gable kmaf generate: traces of kernels whose sharing is known.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/kmaf/kmaf.hpp"
#include "cli/output_file.hpp"
#include "kmaf/traces/workloads.hpp"

namespace gable::cli {

namespace {

struct GenerateOptions {
  std::string kernel, output;
  kmaf::WorkloadShape shape;
};

void generate_command(const GenerateOptions& options) {
  for (const kmaf::Workload& workload : kmaf::workloads()) {
    if (options.kernel != workload.name) continue;
    stop_requested();
    OutputFile output(options.output);
    kmaf::TraceWriter writer(output.part(), kmaf::trace_format(options.output));
    workload.generate(options.shape, [&](const kmaf::Access& access) {
      stop_if_requested();
      writer.write(access);
    });
    writer.finish();
    output.keep(output.part());
    return;
  }
  std::string names;
  for (const kmaf::Workload& workload : kmaf::workloads())
    names += fmt::format("\n  {:<12} {}", workload.name, workload.summary);
  throw UsageError(fmt::format("no kernel '{}'; there are{}", options.kernel, names));
}

}  // namespace

void define_kmaf_generate(CLI::App& command) {
  const auto options = std::make_shared<GenerateOptions>();
  std::string names;
  for (const kmaf::Workload& workload : kmaf::workloads())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", workload.name);
  command.add_option("KERNEL", options->kernel, names)->required();
  command.add_option("-o,--output", options->output, "file; binary if its name ends in .trace, else CSV")
      ->required();
  command.add_option("--threads", options->shape.threads, "threads")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  command.add_option("--accesses", options->shape.accesses, "accesses of all threads, about")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000000}))
      ->capture_default_str();
  command.callback([options] { generate_command(*options); });
}

}  // namespace gable::cli
