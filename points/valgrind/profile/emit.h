#pragma once

// Adds code that feeds the profile to a block of guest code.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/instruction.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/tally.h"

// Begins a new block, whose first instruction is at `code`.
void profile_emit_begin(IRSB* out, const IRSB* in, Addr code);

// The next instruction begins.
void profile_emit_instruction(const Instruction* instruction);

// Follows a statement of the block, before it is emitted and after its accesses have been.
void profile_emit_follow(const IRStmt* statement);

// An access by the instruction at `code`. `guard` (I1): the condition of the access; NULL: always.
void profile_emit_access(IRSB* out, Addr code, Run* run, IRExpr* address, UInt bytes, SiteKind kind,
                         IRExpr* guard);

// Control leaves here, at the end of the run (NULL: none), if `condition` holds.
void profile_emit_leave(IRSB* out, const Run* run, const IRExpr* condition);

// The block ends, and control goes to `target`.
void profile_emit_end(IRSB* out, const Run* run, const IRExpr* target);
