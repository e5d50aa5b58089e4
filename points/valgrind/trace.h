#pragma once

// Writes down every access to memory, in the order of the program (docs/points.md, docs/formats.md).

#include <pub_tool_basics.h>

extern const HChar* trace_path;  // absolute; NULL: no trace
extern Bool trace_stack;         // accesses to the stack too
extern Int trace_every;          // one access of so many

// Begins the trace of a program image: `path`, or for another than the first `path`.PID.N. What was not
// written of an image before is forgotten.
void trace_begin(Bool is_first, UInt image);

// Notes an access; called by instrumented code. `what` is its bytes, times two, plus one if it writes.
VG_REGPARM(2) void trace_access(Addr address, UWord what);

// Writes what was noted.
void trace_flush(void);
