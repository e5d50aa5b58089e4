#pragma once

// node.json: the status of one node of a cluster, beside its recording in DIR/NODE.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/domain/table.hpp"
#include "model/records/note.hpp"

namespace gable::model {

enum class NodeStatus { measuring, complete, partial, failed, refused, hung, lost, left_out };

struct NodeStatusRow {
  NodeStatus value;
  std::string_view name;
};
inline constexpr NodeStatusRow node_status_rows[] = {
    {NodeStatus::measuring, "measuring"},  // begun, no result yet
    {NodeStatus::complete, "complete"},
    {NodeStatus::partial, "partial"},  // ended before its plan did; what was measured is there
    {NodeStatus::failed, "failed"},    // the measurement or its delivery ended with an error
    {NodeStatus::refused, "refused"},  // another measurement was at work on the node
    {NodeStatus::hung, "hung"},        // no result at the deadline
    {NodeStatus::lost, "lost"},        // its processes ended without a result, or the scheduler calls it down
    {NodeStatus::left_out, "left out"},  // not among the --sample of its group
};
static_assert(is_in_order(node_status_rows));
constexpr std::span<const NodeStatusRow> table(NodeStatus) {
  return node_status_rows;
}

/// A property of the node in words; those of a group of equal nodes are compared.
struct NodeFact {
  std::string group, name, value;
  bool operator==(const NodeFact&) const = default;
};

struct NodeRecord {
  std::string node;
  NodeStatus status = NodeStatus::measuring;
  Note reason;                     ///< empty where it is complete
  std::string hardware;            ///< nodes with the same text and about the same memory are of one group
  std::uint64_t memory_bytes = 0;  ///< 0: not known
  std::string options;             ///< of gable measure
  std::string launch;              ///< launcher and job
  std::string started;             ///< UTC, ISO 8601
  double seconds = 0;              ///< from the start to the delivery
  double expected = 0;             ///< seconds that its plan takes
  double deadline = 0;             ///< UTC, seconds since 1970; a `measuring` that is older has hung
  double clock_ghz = 0;            ///< median of what was measured beside the figures; 0: not known
  int rounds = 0;                  ///< most valid rounds of a figure; 0: not known
  std::vector<NodeFact> facts;

  bool operator==(const NodeRecord&) const = default;
};

/// Both throw Error::format for what is not such a record.
std::string node_record_to_json(const NodeRecord& record);
NodeRecord node_record_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
