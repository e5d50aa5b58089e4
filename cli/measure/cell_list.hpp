#pragma once

// What `gable measure --list` shows: the kernels and the cells of a plan, with the values that --only
// selects.

#include <string>

#include "bench/plan/plan.hpp"
#include "bench/schedule/open_visits.hpp"

namespace gable::cli {

/// Two tables: the kernels with what an iteration of each does; the cells by kind, level, pattern and tier.
/// Then what is skipped on this machine and why.
std::string cell_list(const bench::Plan& plan, const bench::Options& options);

/// The same as JSON, with every cell by itself; `done` are the visits that the folder has.
std::string cell_list_json(const bench::Plan& plan, const bench::Options& options, const bench::Done& done);

}  // namespace gable::cli
