#pragma once

// Conditional branches, and how many a branch predictor (predictor.h) mispredicts.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

// Whether the exit of a block is a conditional branch of the instruction at `code`; the end of a string
// instruction, which repeats itself, is none.
Bool branches_is(const IRSB* in, const IRStmt* exit, Addr code);

// Emits the prediction of the branch at `code`, which leaves if `condition` (I1) holds.
void branches_emit(IRSB* out, Addr code, Function* function, IRExpr* condition);

// Forgets all histories, for a child after fork().
void branches_forget(void);
