#pragma once

// The work of a program in the regions that it marks. points/include/gable-marker.h reports them by client
// requests, which do nothing outside Valgrind.

#include <pub_tool_basics.h>

#include "points/valgrind/tally.h"

typedef struct {
  const HChar* name;
  ULong calls;      // times that a thread entered it from outside
  UInt threads;     // that were ever inside
  UInt inside;      // threads that are inside now
  Tally work;       // of each thread while it was inside, without the marker's own code
  Tally meanwhile;  // of all threads of the process, while at least one was inside
  Tally begin;      // of all threads, when the first of the threads now inside entered
} Region;

void regions_initialize(void);

// Forgets all regions in a child after fork(), which has entered none yet.
void regions_forget(void);

// Handles a client request of the running thread; returns false for other requests.
Bool regions_request(ThreadId thread, UWord* request, UWord* result);

// Number + 1 of the region that the running thread entered last and is in; of a thread that is in none, the
// region that any thread entered last and is in. 0: none.
UInt regions_now(void);

// The regions are in order of their first entry.
Word regions_count(void);
const Region* region_at(Word index);
