#pragma once

// The counts: one tally per thread, and one per function if requested.

#include <pub_tool_basics.h>

typedef enum { ADD, MUL, DIV, SQRT, FMA, OPERATIONS } Operation;
typedef enum { SP_SCALAR, SP_128, SP_256, DP_SCALAR, DP_128, DP_256, X87, SHAPES } Shape;

// Indices into a Tally: bytes; in a profile instructions, those that compute with integers, branches and
// mispredicted ones, indirect jumps among these and where they lead to, loads into vector registers, jumps
// back in the code, and stores; then flops by operation and shape.
enum {
  LOAD_BYTES,
  STORE_BYTES,
  INSTRUCTIONS,
  INTEGER,
  BRANCHES,
  MISPREDICTED,
  MISPREDICTED_JUMPS,
  MISPREDICTED_ENTRIES,
  VECTOR_LOADS,
  ITERATIONS,
  STORE_COUNT,
  FLOPS,
  COUNTERS = FLOPS + OPERATIONS * SHAPES
};

static inline UInt flops_index(Operation operation, Shape shape) {
  return FLOPS + operation * SHAPES + shape;
}

typedef struct {
  ULong of[COUNTERS];
} Tally;

typedef struct Code Code;
typedef struct CriticalPath CriticalPath;
typedef struct Run Run;
typedef struct Loop Loop;

// A function, without the loops in it, or such a loop (loops.h).
typedef struct Function {
  const HChar* name;    // "gzip+0x1250" if the object has no symbol; "???": not known
  const HChar* object;  // "???" for generated code
  Code* code;           // where it lies (code.h); NULL: not known
  Tally tally;
  CriticalPath* path;      // of its tracked instructions (profile/path); NULL: none
  struct Function* whole;  // of a loop: the function that it is in; NULL: it is a whole function
  ULong offset;            // of a loop: where it begins in its file
  Loop* loops;             // of a whole function; NULL: none are known
  Run* runs;               // of a whole function, with those of its loops
} Function;

// The running thread's tally; instrumented code reads this variable at every use.
extern Tally* running;
extern UInt running_number;  // of that thread: 0, 1, ... in order of their start

void tally_initialize(void);

// Threads, by the tool interface's events. The number of a thread that starts is returned.
UInt tally_thread_starts(ThreadId thread);
void tally_switch(ThreadId thread, ULong blocks_done);
void tally_thread_ends(ThreadId thread);

// Restarts all counts at 0 in a child after fork(), with this thread alone.
void tally_forget(ThreadId thread);

// Threads in order of their start.
Word tally_threads(void);
const Tally* tally_of_thread(Word index);

// Restarts its counts at 0.
void function_forget(Function* function);

// The function that contains this instruction. It exists until the process ends. Of an instruction that was
// asked for before this is fast.
Function* function_at(Addr instruction);

// Returns every requested function once, then NULL.
void functions_rewind(void);
Function* functions_next(void);
