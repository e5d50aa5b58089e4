#pragma once

// What a run will do, given what this machine allows.

#include <memory>
#include <string>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"
#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/report.hpp"
#include "kmaf/live/run.hpp"
#include "kmaf/live/samplers/sampler.hpp"

namespace gable::kmaf::live {

struct Plan {
  std::string policy;                ///< that is carried out: "os" where the one wanted cannot be
  std::unique_ptr<Sampler> sampler;  ///< nullptr: accesses are not looked at
  bool follows = false;              ///< threads are followed without a sampler
  bool learns = false;               ///< what is seen is to be written down
  bool interleaves = false;          ///< the program's memory policy
  bool fixes_addresses = false;      ///< the program's, so that pages are those of another run
  bool balancing = false;            ///< the kernel's balancing has to be on
  bool changes_settings = false;     ///< the whole machine's
  bool changes_objects = false;      ///< the policies of the program's shared memory, which may outlive it
  bool changes_something = false;    ///< that is to be put back
};

/// Chooses the sampler. What is missing, with the command that grants it, goes into `report.notes`.
/// The sampler refers to `settings`. `nodes`: os indices of those that pages are interleaved over.
Plan plan_of(const Options& options, Settings& settings, const std::vector<unsigned>& nodes, Report& report);

/// Where the changes are written down; puts back what a killed run has left, and notes it. Throws
/// std::runtime_error when the settings are changed and another run holds them.
Journal journal_for(const Plan& plan, const Settings& settings, std::vector<std::string>& notes);

}  // namespace gable::kmaf::live
