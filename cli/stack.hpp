#pragma once

namespace gable::cli {

/// Calls `function` with the usual 8 MiB of stack where `ulimit -s` allows less than 1 MiB: libraries such as
/// Scotch need more than small limits allow. Threads that start later get as much; programs that Gable runs
/// keep the limit. `function` must not throw.
int with_enough_stack(int (*function)(int, char**), int argc, char** argv);

}  // namespace gable::cli
