#pragma once

// Runs: pieces of code that are executed from their begin to their end. Code counts how often; what one
// execution does is known when it is translated, and is multiplied at the end.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

struct Run {
  ULong executed;  // incremented by instrumented code
  ULong settled;   // of these, executions that are in the function's tally
  // Bytes of conditional accesses that are not in the function's tally yet, by LOAD_BYTES and STORE_BYTES;
  // incremented by instrumented code.
  ULong guarded[2];
  Function* function;  // or the loop of it
  Addr address;        // of the first instruction, or of the one in which it begins and ends
  Addr end;            // after the last one
  Run* next;           // of the same whole function
  UInt* work;          // pairs of an index into a Tally and the count of one execution
  UInt works;          // pairs
};

// A run of the function, which begins at this instruction.
Run* run_of(Function* function, Addr address);

// Gives the later executions to another part of the same function.
void run_move(Run* run, Function* to);

// Sets what one execution adds to the tally of the function.
void run_does(Run* run, const ULong counts[COUNTERS]);

// Emits the code that counts an execution.
void run_emit(Run* run, IRSB* out);

// Adds all executions to the tallies of the functions.
void runs_settle(void);

// Restarts the counts in a child after fork().
void runs_forget(void);
