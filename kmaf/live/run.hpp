#pragma once

// Runs a program under a policy.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kmaf/engine/hierarchy.hpp"
#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/policy.hpp"
#include "kmaf/live/report.hpp"
#include "machines/machine.hpp"

namespace gable::kmaf::live {

struct Options {
  std::vector<std::string> command;
  Policy policy = Policy::kmaf;
  std::string sampler = "auto";
  bool threads = true, pages = true;  ///< whether kmaf and the oracle manage them
  bool learns = false;                ///< with kmaf: fill Report::learned
  Knowledge knowledge;                ///< of the oracle
  double budget = 0.01;               ///< share of the program's CPU time
  bool trials = true;                 ///< kmaf also tries places, judged by the program's stores
  unsigned unit_bytes = 4096;         ///< unit in which pages are counted and moved
  bool no_huge_pages = false;         ///< the program gets no transparent huge pages
  MeasuredCost cost;                  ///< between hardware threads, if it was measured
  std::string unmanageable;           ///< why this program cannot be managed; empty: it can
  std::filesystem::path root = "/";   ///< of system settings and their journal
};

/// Runs the program to its end. `say` is called before it starts with each missing requirement. Throws
/// std::runtime_error if it cannot be run, or another run manages the machine.
Report run(const Options& options, const machines::Machine& machine,
           const std::function<void(const model::Note&)>& say);

}  // namespace gable::kmaf::live
