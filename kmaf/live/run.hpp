#pragma once

// Runs a program under a policy.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/report.hpp"
#include "machines/machine.hpp"

namespace gable::kmaf::live {

struct PolicyEntry {
  const char* name;
  const char* summary;
};

/// What a running program can be put under.
const std::vector<PolicyEntry>& policies();

struct Options {
  std::vector<std::string> command;
  std::string policy = "kmaf";
  std::string sampler = "auto";
  bool threads = true, pages = true;  ///< what kmaf and the oracle manage
  bool learns = false;                ///< with kmaf: Report::learned is wanted
  Knowledge knowledge;                ///< of the oracle
  double budget = 0.01;               ///< share of the program's CPU time
  unsigned unit_bytes = 4096;         ///< that pages are counted and moved in
  bool no_huge_pages = false;         ///< the program gets no transparent huge pages
  bool pipes_ignored = false;         ///< the program ignores SIGPIPE, as this process's caller does
  std::string unmanageable;           ///< why this program cannot be managed; empty: it can
  std::filesystem::path root = "/";   ///< below which system settings and their journal lie
};

/// Runs it to its end. `say` is called before it begins with what is missing, if anything is. Throws
/// std::runtime_error when it cannot be run, or another run manages the machine.
Report run(const Options& options, const machines::Machine& machine,
           const std::function<void(const std::string&)>& say);

}  // namespace gable::kmaf::live
