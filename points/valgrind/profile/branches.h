#pragma once

// Conditional branches, indirect jumps and calls, and how many a branch predictor (predictor.h) mispredicts.
// Returns are none: cores know where they go. A jump back in the code begins an iteration of a loop.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/places/runs.h"

// Whether the exit of a block is a conditional branch of the instruction at `code`; the end of a string
// instruction, which repeats itself, is none.
Bool branches_is(const IRSB* in, const IRStmt* exit, Addr code);

// Emits the prediction of the branch at `code`, which is this exit and ends the run (NULL: none counts it).
void branches_emit(IRSB* out, Addr code, const Run* run, const IRStmt* exit);

// Whether the block ends with a jump or call whose target is computed, and the same for it.
Bool branches_is_indirect(const IRSB* in);
void branches_emit_indirect(IRSB* out, Addr code, const Run* run, IRExpr* target);

// Whether the block ends with a jump back from its last instruction at `code`, if no exit was taken before.
Bool branches_is_back(const IRSB* in, Addr code);

// Forgets all histories, for a child after fork().
void branches_forget(void);
