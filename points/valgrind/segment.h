#pragma once

// Part of a block of guest code, and the code that adds its work to the tallies.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "points/valgrind/places/runs.h"
#include "points/valgrind/tally.h"

// The tallies are updated once per segment: the instructions of a block that are executed either all or not
// at all, because control can leave only at the end. Everything known at translation time is added up then.
typedef struct {
  IRSB* out;  // the new block
  ULong counts[COUNTERS];
  IRTemp guarded[2];   // I64, load and store bytes of conditional accesses; IRTemp_INVALID: none
  Function* function;  // that contains the segment; NULL if functions are not counted
  Addr instruction;    // the current one
  Addr begin;          // of the first instruction that begins in it; 0: there is none yet
  Addr end;            // after the last one
  Run* run;            // NULL: not needed yet
  Run* finished;       // the run of the segment before; NULL: it did nothing
} Segment;

// The first segment of a block.
Segment segment_begin(IRSB* out);

// Adds `bytes` to a counter of bytes whenever the segment is executed and `guard` (I1) holds.
void segment_add_guarded(Segment* segment, UInt counter, UInt bytes, IRExpr* guard);

// The run that this segment is. Only if functions are counted.
Run* segment_run(Segment* segment);

// Emits the code that adds the segment to the tallies, and begins the next one.
void segment_finish(Segment* segment);
