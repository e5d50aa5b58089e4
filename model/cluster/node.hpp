#pragma once

// node.json: the status of one node of a cluster, beside its recording in DIR/NODE.

#include <string>
#include <vector>

namespace gable::model {

enum class NodeStatus {
  measuring,  ///< begun, no result yet
  complete,
  partial,  ///< ended before its plan did; what was measured is there
  failed,   ///< the measurement or its delivery ended with an error
  refused,  ///< another measurement was at work on the node
  hung,     ///< no result at the deadline
  lost,     ///< its processes ended without a result, or the scheduler calls it down
  left_out  ///< not among the --sample of its group
};

/// A property of the node in words; those of a group of equal nodes are compared.
struct NodeFact {
  std::string group, name, value;
  bool operator==(const NodeFact&) const = default;
};

struct NodeRecord {
  std::string node;
  NodeStatus status = NodeStatus::measuring;
  std::string reason;    ///< in a sentence; empty where it is complete
  std::string hardware;  ///< nodes with the same text are of one group
  std::string options;   ///< of gable measure
  std::string launch;    ///< launcher and job
  std::string started;   ///< UTC, ISO 8601
  double seconds = 0;    ///< from the start to the delivery
  double expected = 0;   ///< seconds that its plan takes
  double deadline = 0;   ///< UTC, seconds since 1970; a `measuring` that is older has hung
  double clock_ghz = 0;  ///< median of what was measured beside the figures; 0: not known
  int rounds = 0;        ///< most valid rounds of a figure; 0: not known
  std::vector<NodeFact> facts;

  bool operator==(const NodeRecord&) const = default;
};

const char* name_of(NodeStatus status);

/// Both throw Error::format for what is not such a record.
std::string node_record_to_json(const NodeRecord& record);
NodeRecord node_record_from_json(const std::string& text, const std::string& path);

}  // namespace gable::model
