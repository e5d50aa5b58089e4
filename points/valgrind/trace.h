#pragma once

// Writes down every access to memory, in the order of the program (docs/points.md, docs/formats.md).

#include <libvex_guest_amd64.h>
#include <pub_tool_basics.h>

typedef struct {
  const HChar* path;  // absolute; NULL: no trace
  Bool stack;         // accesses to the stack too
  Int every;          // one access of so many
  Long burst, of;     // the first `burst` of every `of` accesses, and who is first in a page; of 0: all
  Long most;          // the trace ends after so many; 0: never
  Int turn;           // accesses after which a thread lets the next one run; 0: when Valgrind does
} TraceOptions;

extern TraceOptions trace;

// What became of the trace of this image.
typedef struct {
  const HChar* path;
  ULong seen, written;
  Bool has_ended;   // `most` was reached
  Bool has_failed;  // it could not be written
} TraceState;

const TraceState* trace_state(void);

// Begins the trace of a program image: `path`, or for another than the first `path`.PID.N. What was not
// written of an image before is forgotten.
void trace_begin(Bool is_first, UInt image);

// Notes an access; called by instrumented code. `what` is its bytes, times two, plus one if it writes. May
// end the thread's turn.
VG_REGPARM(3) void trace_access(VexGuestAMD64State* guest, Addr address, UWord what);

// Writes what was noted.
void trace_flush(void);
