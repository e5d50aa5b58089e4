#pragma once

// The records of nodes in DIR of `gable cluster measure DIR`: NODE/node.json.

#include <optional>
#include <string>
#include <vector>

#include "model/cluster/node.hpp"

namespace gable::cli {

/// The record of a node in DIR; nothing where there is none or it is broken.
std::optional<model::NodeRecord> recorded_node(const std::string& folder, const std::string& node);

/// A folder in DIR with records of how nodes ended that keep another record.
std::string other_endings(const std::string& folder);

/// Whether a node keeps its former record instead of this one: that of a result, or of a measurement that is
/// at work.
bool stays(const std::optional<model::NodeRecord>& former, const model::NodeRecord& record);

/// The options of gable measure as a record has them.
std::string options_text(const std::vector<std::string>& options);

/// Whether the node has all that these options ask for.
bool is_complete(const model::NodeRecord& record, const std::string& options);

/// Whoever waits for this node sees that its record is up to date.
void touch_record(const std::string& folder, const std::string& node);

/// By the clock of all nodes, in seconds.
double seconds_now();

}  // namespace gable::cli
