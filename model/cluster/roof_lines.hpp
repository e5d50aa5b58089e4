#pragma once

// The roofs.json of many nodes, read without a JSON tree for each. Gable writes a Roof as a line that begins
// with its Case, and equal nodes have the same Cases: the text of a Case is parsed once, of every other node
// only the figures behind it. A file that another program wrote is parsed as a whole.

#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/records/records.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::model {

/// What a figure of a node describes, regardless of which kernel, page size or number of threads was best.
struct NodeQuestion {
  std::string name;  ///< "cluster 0, DRAM node 0, local: load"
  std::string unit;  ///< "GB/s", "GFlop/s", "ns"
  Case spec;         ///< of the first node that has it
  bool lower_is_better() const { return is_latency(spec.kind); }
};

struct NodeFigure {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< none: not a number
  double error = 0;          ///< relative standard error, from the 95 % interval
  bool other_state = false;  ///< as of a Roof
};

class RoofLines {
 public:
  /// The node's figures by the number of their question; fewer where the file lacks the last ones. Throws
  /// Error::format.
  std::vector<NodeFigure> read(const std::string& text, const std::string& path);

  /// Adds a time that is no Roof to the node's figures: its question is its name, and the lower the better.
  void add_time(std::vector<NodeFigure>& figures, const std::string& name, const Estimate& estimate);

  const std::vector<NodeQuestion>& questions() const { return questions_; }

 private:
  int question_of(const Case& spec, const std::string& unit);
  bool read_line(std::string_view line, const std::string& path, std::vector<NodeFigure>& figures);
  void add(std::vector<NodeFigure>& figures, int question, const Roof& roof);

  std::vector<NodeQuestion> questions_;
  std::unordered_map<std::string, int> by_key_;
  std::unordered_map<std::string, int> by_case_text_;  // -1: no figure of a node
};

}  // namespace gable::model
