#pragma once

// The words on the charts.

#include <cstdint>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/tiers/tiers.hpp"

namespace gable::charts {

/// Three significant digits without an exponent: "512", "83.1", "9.47".
std::string three_digits(double value);

/// "32 KiB", "1.5 MiB", "2 GiB".
std::string bytes_text(std::uint64_t bytes);

/// " ±0.4 %": its interval_percent, which the chart's note explains (interval_note); empty where the roof has
/// none.
std::string interval_text(const model::Roof& roof);

/// "4 KiB", "2 MiB", "1 GiB" of the page sizes' short names.
std::string pages_text(const std::string& pages);

/// ", 4 KiB pages"; empty where the page size is not known.
std::string pages_clause(const model::Case& asked);

/// "node 3", "nodes 0–2, 5"; "all nodes" where `nodes` holds -1.
std::string nodes_text(std::vector<int> nodes);

/// "local", "local, all clusters busy", "remote", ...
std::string pattern_text(const std::string& pattern);

/// "L1"; "MCDRAM, congested" of a memory-side cache, which has the patterns of memory.
std::string level_text(const model::Case& asked);

/// What a bandwidth or latency was measured to: "L1", "DRAM node 0, local".
std::string target_text(const model::Case& asked);

/// "a", "a and b", "a, b and c".
std::string list_text(const std::vector<std::string>& words);

/// "random NT stores of 256 B", "STREAM copy, NT stores", "read latency".
std::string describe(const model::TierCase& asked);

/// "stores", "stores and clwb", "NT stores".
std::string way_text(const std::string& way);

}  // namespace gable::charts
