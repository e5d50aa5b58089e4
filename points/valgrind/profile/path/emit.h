#pragma once

// Finds which values of a block wait for which, and emits the calls that follow them (critical_path.h).

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/profile/profile.h"

// Begins a new block.
void path_begin(const IRSB* in);

// The next instruction begins. AArch64: `is_fused`, a multiply-add that VEX multiplies and adds.
void path_instruction(Bool is_fused);

// Follows a statement of the block. `site`: of its access; NULL if it has none.
void path_take(const IRStmt* statement, const Site* site);

// Control may leave here, or the block ends. `condition`: what decides where it goes.
void path_emit(IRSB* out, const Run* run, const IRExpr* condition);
