#pragma once

// Follows the nodes of a measurement by the records that appear in DIR: progress, and what became of each.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/cluster/node.hpp"

namespace gable::cli {

class Monitor {
 public:
  /// `nodes`: those that are expected; empty if only their number is known. `options`: of gable measure, as
  /// their records will have them. The progress goes to standard error unless `quiet`.
  Monitor(std::string folder, std::vector<std::string> nodes, int count, const std::string& options,
          bool quiet);

  /// Reads what changed, at most every second (more nodes: less often), and shows the progress.
  void look();
  /// Whether every node has a result, or a reason to have none.
  bool all_ended();
  /// Whether as many nodes as expected have begun.
  bool all_begun() const { return begun_ >= count_; }
  /// Whether a node has told anything.
  bool any() const { return begun_ > 0; }

  /// Records why a node has no result, where it has none.
  void give_up(const std::string& node, model::NodeStatus status, const model::Note& reason);
  /// The nodes that have no result and no reason yet.
  std::vector<std::string> open_nodes();
  /// Ends the line of progress, and prints what became of the nodes. Returns how many have no complete
  /// result.
  int finish(const std::string& call);

 private:
  struct Former {
    model::NodeRecord record;
    std::filesystem::file_time_type written;
    bool is_told = false;  // it was complete, and its node has just said so
  };
  static std::map<std::string, Former> former_nodes(const std::string& folder, const std::string& options);
  bool is_new(const std::string& records, const std::string& node, const model::NodeRecord& record) const;
  void forget_endings() const;
  void read(bool again);
  void show();

  std::string folder_;
  std::vector<std::string> nodes_;
  int count_, begun_ = 0, ended_ = 0, shown_ = -1;
  bool quiet_, terminal_;
  std::map<std::string, Former> before_;  // by folder of the record
  std::map<std::string, model::NodeRecord> now_;
  double last_look_ = 0;
};

/// The records of all nodes in DIR, by name.
std::map<std::string, model::NodeRecord> recorded_nodes(const std::string& folder);

}  // namespace gable::cli
