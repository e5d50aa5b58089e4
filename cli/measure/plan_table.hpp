#pragma once

// The output of `gable measure --dry-run` and --list: what a call would do.

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

/// What `gable measure --list` shows, with the values that --only selects. Two tables: the kernels with what
/// an iteration of each does; the cells by kind, level, pattern and tier. Then what is skipped on this
/// machine and why.
std::string cell_list(const bench::Plan& plan, const bench::Options& options);

/// The same as JSON, with every cell by itself; `done` are the visits that the folder has, and what follows
/// the plan takes `seconds_after`.
std::string cell_list_json(const bench::Plan& plan, const bench::Options& options, const bench::Done& done,
                           double seconds_after);

}  // namespace gable::cli
