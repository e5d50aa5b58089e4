#pragma once

// The critical path: the longest chain of operations that wait for each other, as a core has it that
// executes everything else meanwhile. An operation starts when its inputs are ready, and not before all
// instructions that lie `window` or more before it have ended (Wall, "Limits of instruction-level
// parallelism", ASPLOS 1991), nor before the scheduler has room for it (scheduler.h). Only some pieces of
// the run are tracked, one in `tracked_share`.
//
// A mispredicted branch costs a core the time from where it enters the core to where its condition is known:
// the core finds the instructions after it only then (Eyerman and others, "Characterizing the branch
// misprediction penalty", ISPASS 2006). They enter the core in order, four in a cycle, as long as the window
// has room for them.
//
// Not on the path: caches beyond the first, mispredicted branches, registers of the x87, increments by a
// constant and the stack pointer, which cores compute beforehand.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/path/steps.h"

enum { window_of_path = 512 };  // instructions that the cores of today look ahead at most

// Counts down by the instructions of each piece of a block; below 0 the piece is tracked. Instrumented code
// changes it.
extern Long path_countdown;

// The instructions that all threads have executed up to the latest piece.
ULong path_instructions(void);

// Instrumented code calls this after each tracked piece.
VG_REGPARM(1) void path_follow(const Steps* steps);

// The branch at the end of the piece that was followed last is mispredicted.
void path_mispredicted(Function* function);

// Adds what is known of a path (NULL: nothing) to that of a function.
void path_add(Function* to, const CriticalPath* more);

// Another thread runs now, or a child after fork().
void path_restart(void);

// The name of a kind in the report, as model/domain/latency_class.hpp has it.
const HChar* path_operation(Latency latency);

// Operations on the critical path of the function's tracked instructions, and how many these were.
struct CriticalPath {
  Long operations[LATENCIES];
  ULong instructions;
  ULong mispredicted;  // of the tracked branches
  double resolving;    // cycles that they waited for their conditions
  ULong chained;       // chained loads, each from another line than the one before
  ULong steps;         // of the critical path, if only loads took time: loads one after the other
  ULong unordered;     // loads without an order
  ULong waited;        // of these: those that mispredicted branches waited for, one after the other
};
