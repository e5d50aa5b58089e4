#pragma once

// Loops of functions, found by their jumps back. What a loop does is counted apart from the rest of its
// function if it runs for long each time that it is entered: such a loop is a phase of the program, and what
// comes before and after it does not overlap with it. Loops side by side often share a function, because
// compilers put functions into their callers.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

// Adds the loops to which this block jumps back, and moves the runs in them to them.
void loops_find(const IRSB* block);

// The innermost known loop of the function that contains the instruction; the function if there is none.
Function* loop_at(Function* whole, Addr instruction);

// Adds the counts of loops that do not run for long, that repeat nothing, or that are nearly all of the loop
// or function around them, to that. Runs must be settled.
void loops_join(Function* whole);

// After loops_join, the part of its function that this loop was added to; other parts are their own.
const Function* loop_joined(const Function* part);

// The source line that the loop executes most often. Returns False if it is not known.
Bool loop_line(const Function* loop, const HChar** file, UInt* line);

// The loops of a function, in any order: NULL gives the first one, and the last one gives NULL.
const Function* loop_next(const Function* whole, const Function* loop);

// Restarts their counts at 0.
void loops_forget(Function* whole);
