#pragma once

// Conditional branches: how many a branch predictor mispredicts. It is a simulated one, of the two-level
// kind (Yeh and Patt, MICRO 1991; McFarling, WRL TN-36, 1993): each branch has a counter of its own, a
// history of its own and its place in the history of all, and uses what predicted it best lately.

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
