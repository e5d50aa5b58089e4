#include <cstdio>

#include "base/lists.hpp"
#include "cli/text/table_text.hpp"
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
  const auto text = [](const Table& table) { return table_text(table, false); };
  std::fputs(joined(virt_tables(summary, native ? &*native : nullptr), text, "\n").c_str(), stdout);
}

}  // namespace gable::cli
