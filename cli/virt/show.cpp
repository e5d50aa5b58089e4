#include <cstdio>

#include "cli/virt/recorded.hpp"
#include "cli/virt/tables.hpp"
#include "cli/virt/virt.hpp"

namespace gable::cli {

void virt_show(const VirtShowArguments& arguments) {
  const model::VirtSummary summary = model::virt_summary(virt_samples_of(arguments.folder));
  std::optional<model::VirtSummary> native;
  if (!arguments.native.empty()) {
    native = model::virt_summary(virt_samples_of(arguments.native));
    require_native(*native, arguments.native);
  }
  std::string text;
  for (const TitledTable& table : virt_tables(summary, native ? &*native : nullptr))
    text += (text.empty() ? "" : "\n") + titled_text(table, false);
  std::fputs(text.c_str(), stdout);
}

}  // namespace gable::cli
