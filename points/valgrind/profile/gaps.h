#pragma once

// Instructions near independent reads: for each read those since the one before, at most the 512 that a core
// looks ahead. Reads that come in a burst are near few instructions, so a core has many under way at once.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/records.h"

void gaps_begin(void);
void gaps_end(void);
void gaps_switch(UInt number);  // another thread runs now

// Adds the instructions near an independent read whose distance lies in this bucket, for the running thread.
// It counts for all octaves up to its own: caches of these sizes miss it.
void gaps_add(Reuse* reuse, Bool is_all, UInt bucket);
