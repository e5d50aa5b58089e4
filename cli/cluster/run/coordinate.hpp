#pragma once

// The process that starts a launcher, and sees to it that every node has a result or a reason.

#include <string>
#include <vector>

namespace gable::cli {

struct Coordination {
  std::string folder;
  std::vector<std::string> command;  ///< of the launcher, with the program that it starts
  std::vector<std::string> nodes;    ///< that are expected; empty: as many as report
  bool complete = false;             ///< nodes were left out, so that none may have to report
  std::string options;               ///< of gable measure, as in the nodes' records
  double deadline = 3600;            ///< seconds that a node has
  bool quiet = false;
  std::string call;
};

/// Runs the launcher to its end or past the deadline. Returns how many nodes have no complete result.
/// Throws Error::interrupted, std::runtime_error if the launcher does not start.
int coordinate(const Coordination& coordination);

/// How long after a node's deadline its result is waited for.
double grace_after(double deadline);

}  // namespace gable::cli
