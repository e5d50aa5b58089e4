#pragma once

// What virtualization costs by virt.jsonl of a recorded folder, as tables and charts for a screen or a page.

#include <string>
#include <vector>

#include "base/tables/table.hpp"
#include "model/virt/summary.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// The visits of DIR/virt.jsonl. Throws Error::usage where there are none, with the command that records
/// them; Error::format for a broken file.
std::vector<model::VirtSample> virt_samples_of(const std::string& folder);

/// Throws Error::usage unless the folder has cells of this kind, with the command that adds them.
void require_kind(const std::vector<model::VirtSample>& samples, const std::string& folder,
                  model::VirtKind kind);

/// Throws Error::usage if a guest recorded these figures: they are not those of the hardware.
void require_native(const model::VirtSummary& summary, const std::string& folder);

/// The recorded walks and noise, and what the noise does on many nodes; `samples` are not empty. `machine`:
/// its name in the titles. `column`: for a paper's column.
std::vector<charts::Chart> charts_of_virt(const std::vector<model::VirtSample>& samples,
                                          const std::string& machine, bool column = false);

/// All of them that have lines, and what was skipped, with reasons.
std::vector<Table> virt_tables(const model::VirtSummary& summary, const model::VirtSummary* native);

/// Adds what the visits of a kind note; `prefix` begins each sentence.
void add_notes(Table& table, const model::VirtSummary& summary, model::VirtKind kind,
               const std::string& prefix = "");

}  // namespace gable::cli
