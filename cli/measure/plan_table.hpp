#pragma once

// The output of `gable measure --dry-run`: what a call would do.

#include <string>

#include "bench/plan/plan.hpp"
#include "bench/schedule/open_visits.hpp"

namespace gable::cli {

/// The plan and its remaining part: cells, visits and time by kind and pattern, up to the budget;
/// skipped cells with reasons. `folder` has the visits in `done`.
std::string plan_table(const bench::Plan& plan, const bench::Options& options, const bench::Done& done,
                       const std::string& folder);

/// The seconds that the visits which `done` lacks are expected to take.
double plan_seconds_left(const bench::Plan& plan, const bench::Done& done);

/// What of the plan cannot be measured on this machine, and why: each reason once; empty where there is
/// nothing.
std::string skips_text(const bench::Plan& plan);

}  // namespace gable::cli
