#pragma once

// What a program does in the regions that it marks: points/include/gable-marker.h tells of them by client
// requests, which are no-ops outside Valgrind.

#include <pub_tool_basics.h>

#include "points/valgrind/tally.h"

typedef struct {
  const HChar* name;
  ULong calls;      // times that a thread entered it from outside
  UInt threads;     // that were ever inside
  UInt inside;      // that are now
  Tally work;       // of each thread while it was inside; what it did in the marker's own code is left out
  Tally meanwhile;  // of all threads of the process, while at least one was inside
  Tally begin;      // of all threads, when the first that is inside now came in
} Region;

void regions_initialise(void);

// In a child after fork(): no region was ever entered.
void regions_forget(void);

// Handles a client request of the running thread; False where it is none of ours.
Bool regions_request(ThreadId thread, UWord* request, UWord* result);

// In the order in which they were first entered.
Word regions_count(void);
const Region* region_at(Word index);
