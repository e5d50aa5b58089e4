#pragma once

// Fused multiply-adds by the CPU's own instruction: one file per architecture. VEX may compute each lane of
// one by a call that emulates it in software, which takes a hundred times as long as the instruction.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// Prepares for the instruction at this address, the next one of the block.
void fma_begin(Addr address, UInt bytes);

// Returns true if nothing of this statement is to be emitted, because fma_end replaces it.
Bool fma_replaces(const IRStmt* statement);

// Ends the instruction: emits what is left of it.
void fma_end(IRSB* out);
