#pragma once

// Decides what a run does, given what this machine allows.

#include <memory>
#include <optional>
#include <vector>

#include "kmaf/live/guardian/journal.hpp"
#include "kmaf/live/guardian/settings.hpp"
#include "kmaf/live/report.hpp"
#include "kmaf/live/run.hpp"
#include "kmaf/live/samplers/sampler.hpp"
#include "kmaf/live/samplers/store_counter.hpp"

namespace gable::kmaf::live {

struct Plan {
  Policy policy = Policy::os;          ///< to carry out: `os` if the requested one cannot be
  std::unique_ptr<Sampler> sampler;    ///< nullptr: accesses are not sampled
  bool follows = false;                ///< threads are followed without a sampler
  bool learns = false;                 ///< record what the run learns
  std::optional<CountedEvent> stores;  ///< other places of the threads are tried, judged by this event
  std::vector<unsigned> interleaved;   ///< nodes over which pages are interleaved; empty: not at all
  bool fixes_addresses = false;   ///< disable address randomization, so that pages match those of another run
  bool balancing = false;         ///< switch the kernel's balancing on
  bool changes_settings = false;  ///< change system-wide settings
  bool changes_objects = false;   ///< set policies of the program's shared memory, which may outlive it
  bool changes_something = false;  ///< anything must be restored
};

/// Chooses the sampler. Missing requirements, with the command that grants them, go into `report.notes`.
/// The sampler refers to `settings`. `nodes`: os indices of the nodes with cores; `memories`: of all nodes
/// that this process may use.
Plan plan_of(const Options& options, Settings& settings, const std::vector<unsigned>& nodes,
             const std::vector<unsigned>& memories, Report& report);

/// The journal of the run's changes. First restores what a killed run has left, and adds a note. Throws
/// std::runtime_error if settings must be changed and another run holds them.
Journal journal_for(const Plan& plan, const Settings& settings, model::Notes& notes);

}  // namespace gable::kmaf::live
