#pragma once

// Records every memory access in program order (docs/points.md, docs/formats.md).

#include <pub_tool_basics.h>

#include "points/valgrind/guest.h"

typedef struct {
  const HChar* path;  // absolute; NULL: no trace
  Bool stack;         // accesses to the stack too
  Int every;          // one of this number of accesses
  Long burst, of;     // the first `burst` of every `of` accesses, and the first to each page; of 0: all
  Long most;          // the trace ends after this number; 0: never
  Int turn;           // accesses after which a thread yields to the next one; 0: Valgrind decides
} TraceOptions;

extern TraceOptions trace;

// The result of the trace of this image.
typedef struct {
  const HChar* path;
  ULong seen, written;
  Bool has_ended;   // `most` was reached
  Bool has_failed;  // it could not be written
} TraceState;

const TraceState* trace_state(void);

// Begins the trace of a program image: `path` for the first, `path`.PID.N for others. Unwritten data of an
// earlier image is dropped.
void trace_begin(Bool is_first, UInt image);

// Records an access; called by instrumented code. `what` is its bytes, times two, plus one for a write. May
// end the thread's turn.
VG_REGPARM(3) void trace_access(GuestState* guest, Addr address, UWord what);

// Writes the buffered accesses.
void trace_flush(void);
