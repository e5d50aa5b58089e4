#include "cli/kmaf/generate.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"

namespace gable::cli {

void generate_trace(const KmafGenerateArguments& arguments) {
  for (const kmaf::Workload& workload : kmaf::workloads()) {
    if (arguments.kernel != workload.name) continue;
    stop_requested();
    OutputFile output(arguments.output);
    kmaf::TraceWriter writer(output.part(), kmaf::trace_format(arguments.output));
    workload.generate(arguments.shape, [&](const kmaf::Access& access) {
      stop_if_requested();
      writer.write(access);
    });
    writer.finish();
    output.keep(output.part());
    return;
  }
  throw Error::usage(fmt::format("no kernel '{}'", arguments.kernel));
}

}  // namespace gable::cli
