#pragma once

// What virtualization costs, as tables for a screen or a page.

#include <string>
#include <vector>

#include "cli/text/titled_table.hpp"
#include "model/virt/summary.hpp"

namespace gable::cli {

/// Facts of the environment, with what is inferred from the costs. `native`: a folder of the same hardware
/// without a hypervisor; nullptr: none.
TitledTable environment_table(const model::VirtSummary& summary, const model::VirtSummary* native);
TitledTable walks_table(const model::VirtSummary& summary);
TitledTable mapping_table(const model::VirtSummary& summary);
TitledTable noise_table(const model::VirtSummary& summary);
TitledTable programs_table(const model::VirtSummary& summary);

/// All of them that have lines, and what was skipped, with reasons.
std::vector<TitledTable> virt_tables(const model::VirtSummary& summary, const model::VirtSummary* native);

/// Adds what the visits of a kind note; `prefix` begins each sentence.
void add_notes(TitledTable& table, const model::VirtSummary& summary, const std::string& kind,
               const std::string& prefix = "");

/// "12.3 (12.1 to 12.6)"
std::string interval_cell(const model::Estimate& estimate);

}  // namespace gable::cli
