#pragma once

// What virtualization costs, as tables for a screen or a page.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/virt/summary.hpp"

namespace gable::cli {

/// Facts of the environment, with what is inferred from the costs. `native`: a folder of the same hardware
/// without a hypervisor; nullptr: none.
Table environment_table(const model::VirtSummary& summary, const model::VirtSummary* native);
Table walks_table(const model::VirtSummary& summary);
Table mapping_table(const model::VirtSummary& summary);
Table noise_table(const model::VirtSummary& summary);
Table programs_table(const model::VirtSummary& summary);

/// All of them that have lines, and what was skipped, with reasons.
std::vector<Table> virt_tables(const model::VirtSummary& summary, const model::VirtSummary* native);

/// Adds what the visits of a kind note; `prefix` begins each sentence.
void add_notes(Table& table, const model::VirtSummary& summary, model::VirtKind kind,
               const std::string& prefix = "");

/// "12.3 (12.1 to 12.6)"
Cell interval_cell(const model::Estimate& estimate);

}  // namespace gable::cli
