#pragma once

// Part of a block of guest code, and the code that adds what it does to the tallies.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/tally.h"

// The tallies are brought up to date once a segment: the instructions of a block that are executed all or
// none, because control can leave only at its end. What is known when the block is translated is summed then.
typedef struct {
  IRSB* out;  // the block that is made
  ULong counts[COUNTERS];
  IRTemp guarded[2];   // I64, load and store bytes of accesses that have a condition; IRTemp_INVALID: none
  Function* function;  // that the segment lies in; NULL where functions are not counted
} Segment;

// The first segment of a block.
Segment segment_begin(IRSB* out);

// Adds `bytes` to a counter of bytes whenever the segment is executed and `guard` (I1) holds.
void segment_add_guarded(Segment* segment, UInt counter, UInt bytes, IRExpr* guard);

// Emits what adds the segment to the tallies, and begins the next.
void segment_finish(Segment* segment);
