#pragma once

// Records every memory access in program order (docs/kmaf/traces.md, docs/formats/README.md).

#include <pub_tool_basics.h>

#include "guest.h"

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

// Instructions that the running thread executed since its last access; instrumented code adds to it.
extern ULong trace_instructions;

// Records an access; called by instrumented code. `what` is its bytes, times two, plus one for a write; from
// bit 32 on the instructions that `trace_instructions` lacks. May end the thread's turn.
VG_REGPARM(3) void trace_access(GuestState* guest, Addr address, UWord what);

// Records that the running thread is about to call futex(2), if that waits or wakes.
void trace_futex(Addr address, UWord operation, UInt count);

// Records that the running thread asks for a lock or gives it back; called by instrumented code (locks.h).
VG_REGPARM(2) void trace_lock(Addr lock, UWord is_asked_for);

// The running thread starts another; another thread runs; the running one ends.
void trace_thread_starts(UInt number);
void trace_switch(void);
void trace_thread_ends(void);

// Writes the buffered accesses.
void trace_flush(void);
