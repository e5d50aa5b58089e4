#pragma once

// When a value is ready, and what it waited for.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/path/steps.h"

typedef struct {
  UInt cycles;  // of a usual core
  UInt operations[LATENCIES];
  Long in_order;    // the same in a core that instructions enter in order, in parts of a cycle (per_cycle)
  UInt loads;       // the same, if only loads took time, in loads
  ULong unordered;  // loads without an order that it waited for since a branch was mispredicted
                    // (critical_path.c)
} Ready;
