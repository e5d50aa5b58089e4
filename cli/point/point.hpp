#pragma once

// The commands below `gable point` that make a point share this.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/recorded_machine.hpp"
#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// What DIR records about its machine, to check names given by the user.
struct KnownMachine {
  std::map<int, int> threads;   ///< hardware threads by cluster; 0 where they are not known
  std::vector<unsigned> nodes;  ///< os indices, ascending; empty: not known

  std::set<int> clusters() const;
};

/// What the machine's description says of it.
KnownMachine known_machine(const RecordedMachine& recorded);

/// Reads DIR's machine.json, or its roofs if there is none. Throws Error::usage if DIR is no folder,
/// Error::format for a broken file.
KnownMachine known_machine(const std::string& folder);

/// Throws Error::usage, which names `option` and what there is, for a node that DIR does not have.
void require_node(const KnownMachine& machine, int node, const std::string& option,
                  const std::string& folder);

/// Throws Error::usage for more threads than the cluster (-1: all) has hardware threads.
void require_threads(const KnownMachine& machine, int cluster, int threads, const std::string& folder);

/// Throws Error::usage for an unknown memory policy, or for nodes that DIR does not have.
void require_policy(const KnownMachine& machine, const std::string& policy);

/// What the user states about a point, independent of the source of its figures.
struct PointArguments {
  std::string folder;
  std::string name;
  std::string from;       ///< the point that is the same program under another placement
  std::string cluster;    ///< an index, or "all"; empty: the only one, else all
  std::string nodes;      ///< "0=60,1=40": parts of its bytes by node
  std::string precision;  ///< "dp", "sp", "mixed" or empty
  int threads = 0;
  std::vector<std::string> level_bytes;  ///< "L3=9e9,3e9": read and written
  std::vector<std::string> access;       ///< "0=load:3e9,store:1e9": what is read and written in memory
  bool json = false;                     ///< print the readings as JSON
};

/// A point with what the arguments say. Throws Error::usage for a cluster, nodes or threads that DIR's
/// machine does not have, and for --nodes that cannot be read.
model::Point point_from(const PointArguments& arguments);

/// "0=60,1=40": parts by node, as bytes, per cent or anything in proportion. Throws Error::usage that names
/// `option`.
std::map<int, std::uint64_t> nodes_from(const std::string& text, const std::string& option);

/// The name of the program's point under a policy of kMAF.
std::string managed_name(const std::string& program, const std::string& policy);

/// What is recorded with points, and what is printed of them.
struct PointOutput {
  bool json = false;                        ///< print them as points.json has them
  bool functions = false;                   ///< print their functions
  const model::Profile* profile = nullptr;  ///< that they share, and that is kept; nullptr: none
};

/// Writes the points to DIR/points.json and prints their readings and objects.
void record_points(const std::string& folder, const std::vector<model::Point>& points,
                   const PointOutput& output);

}  // namespace gable::cli
