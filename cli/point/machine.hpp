#pragma once

// What DIR records about its machine, to check names given by the user.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gable::cli {

struct KnownMachine {
  std::map<int, int> threads;   ///< hardware threads by cluster; 0 where they are not known
  std::vector<unsigned> nodes;  ///< os indices, ascending; empty: not known

  std::set<int> clusters() const;
};

/// Reads DIR's machine.json, or its roofs if there is none. Throws Error::usage if DIR is no folder,
/// Error::format for a broken file.
KnownMachine known_machine(const std::string& folder);

/// The cluster of `--cluster named`: -1 for all of several; empty means all. Throws Error::usage for one that
/// DIR does not have.
int known_cluster(const KnownMachine& machine, const std::string& named, const std::string& folder);

/// Throws Error::usage, which names `option` and what there is, for a node that DIR does not have.
void require_node(const KnownMachine& machine, int node, const std::string& option,
                  const std::string& folder);

/// Throws Error::usage for more threads than the cluster (-1: all) has hardware threads.
void require_threads(const KnownMachine& machine, int cluster, int threads, const std::string& folder);

/// Throws Error::usage for an unknown memory policy, or for nodes that DIR does not have.
void require_policy(const KnownMachine& machine, const std::string& policy);

}  // namespace gable::cli
