#pragma once

// The texts on the charts.

#include <cstddef>
#include <string>
#include <vector>

#include "model/records/records.hpp"
#include "model/tiers/tiers.hpp"

namespace gable::charts {

/// Three significant digits without an exponent: "512", "83.1", "9.47".
std::string three_digits(double value);

/// Whether the interval reaches beyond ±100 %, as after two rounds that disagree. It is not drawn: it would
/// cover the others.
bool has_wide_interval(const model::Roof& roof);

/// " ±0.4 %": its interval_percent, which the chart's note explains (interval_note); " (13.0 to 1060)" if
/// that is wide; empty if the roof has none.
std::string interval_text(const model::Roof& roof);

/// "node 3", "nodes 0–2, 5"; "all nodes" if `nodes` contains -1.
std::string nodes_text(const std::vector<int>& nodes);
/// Whether one of them is below 0, which stands for all, or there are none.
bool has_all_nodes(const std::vector<int>& nodes);
/// "0–3, 5"; "all" if one of them is below 0.
std::string node_numbers(std::vector<int> nodes);

/// A text of more than `most` characters with an ellipsis in the middle, because names differ at either end.
std::string shortened(const std::string& utf8, std::size_t most);

/// "a", "a and b", "a, b and c".
std::string list_text(const std::vector<std::string>& words);

// Places labels beside their lines without overlaps. Positions are in any linear unit; for a logarithmic
// axis, logarithms.

/// Positions as near as possible (least squares) to `wanted`, at least `gap` apart, all inside [lo, hi], in
/// the order of `wanted`. Equal positions keep their order. Throws std::invalid_argument if they do not fit.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi);

/// The input of `group`: only values with the same key share a label.
struct Labelled {
  std::string key;
  double value = 0;  ///< positive
};

/// Indices into `values`, largest value first, of the values that share one label: same key, and at most
/// `tolerance` (relative) below the first of the group. Groups are sorted by their first values, descending.
std::vector<std::vector<std::size_t>> group(const std::vector<Labelled>& values, double tolerance);

/// `group` with the smallest tolerance, from 2 % upward, that leaves at most `most` groups; in the extreme
/// one group per key.
std::vector<std::vector<std::size_t>> group_at_most(const std::vector<Labelled>& values, std::size_t most);

}  // namespace gable::charts
