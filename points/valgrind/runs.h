#pragma once

// Runs: pieces of code that are executed from their begin to their end. Code counts how often; what one
// execution does is known when it is translated, and is multiplied at the end.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

typedef struct {
  ULong executed;  // incremented by instrumented code
  ULong settled;   // of these, executions that are in the function's tally
  Function* function;
  UInt* work;  // pairs of an index into a Tally and the count of one execution
  UInt works;  // pairs
} Run;

Run* run_of(Function* function);

// Sets what one execution adds to the tally of the function.
void run_does(Run* run, const ULong counts[COUNTERS]);

// Emits the code that counts an execution.
void run_emit(Run* run, IRSB* out);

// Adds all executions to the tallies of the functions.
void runs_settle(void);

// Restarts the counts in a child after fork().
void runs_forget(void);
