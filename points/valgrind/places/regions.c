#include "points/valgrind/places/regions.h"

#include <pub_tool_clreq.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/profile.h"

// These are the requests of gable-marker.h. Between ENTER and one of the others, the thread executes the
// marker's own code.
typedef enum { ENTER = VG_USERREQ_TOOL_BASE('G', 'B'), START, STOP, LEAVE } Request;

// A thread's visit to a region.
typedef struct {
  Region* region;
  UInt depth;   // number of starts without a stop
  ULong order;  // of its entry, among all threads'
  Tally begin;  // of the thread, at its entry
} Visit;

typedef struct {
  Bool in_marker;
  Tally entered;   // of the thread, when it entered the marker's code
  XArray* visits;  // Visit
} Thread;

static XArray* regions;  // Region*
static XArray* threads;  // Thread*, by the number of the tallies

void regions_initialize(void) {
  regions = VG_(newXA)(VG_(malloc), "gable.regions", VG_(free), sizeof(Region*));
  threads = VG_(newXA)(VG_(malloc), "gable.marking", VG_(free), sizeof(Thread*));
}

void regions_forget(void) {
  for (Word i = 0; i < regions_count(); ++i) {
    VG_(free)((HChar*)region_at(i)->name);
    VG_(free)((Region*)region_at(i));
  }
  for (Word i = 0; i < VG_(sizeXA)(threads); ++i) {
    Thread* const thread = *(Thread**)VG_(indexXA)(threads, i);
    VG_(deleteXA)(thread->visits);
    VG_(free)(thread);
  }
  VG_(deleteXA)(regions);
  VG_(deleteXA)(threads);
  regions_initialize();
}

Word regions_count(void) {
  return VG_(sizeXA)(regions);
}

const Region* region_at(Word index) {
  return *(Region**)VG_(indexXA)(regions, index);
}

static void add(Tally* to, const Tally* more) {
  for (UInt i = 0; i < COUNTERS; ++i) to->of[i] += more->of[i];
}

static void add_difference(Tally* to, const Tally* now, const Tally* before) {
  for (UInt i = 0; i < COUNTERS; ++i) to->of[i] += now->of[i] - before->of[i];
}

// For a thread in the marker's code, its tally at the entry counts: leave_marker() subtracts
// everything since.
static Tally all_threads(void) {
  Tally sum = {{0}};
  for (Word i = 0; i < tally_threads(); ++i) {
    const Thread* const thread = i < VG_(sizeXA)(threads) ? *(Thread**)VG_(indexXA)(threads, i) : NULL;
    add(&sum, thread && thread->in_marker ? &thread->entered : tally_of_thread(i));
  }
  return sum;
}

static Thread* running_thread(void) {
  while (VG_(sizeXA)(threads) <= (Word)running_number) {
    Thread* const made = VG_(calloc)("gable.marking", 1, sizeof *made);
    made->visits = VG_(newXA)(VG_(malloc), "gable.visits", VG_(free), sizeof(Visit));
    VG_(addToXA)(threads, &made);
  }
  return *(Thread**)VG_(indexXA)(threads, running_number);
}

UInt regions_now(void) {
  ULong own = 0, any = 0;
  const Region *innermost = NULL, *of_any = NULL;
  for (Word i = 0; i < VG_(sizeXA)(threads); ++i) {
    const Thread* const thread = *(Thread**)VG_(indexXA)(threads, i);
    for (Word j = 0; j < VG_(sizeXA)(thread->visits); ++j) {
      const Visit* const visit = VG_(indexXA)(thread->visits, j);
      if (!visit->depth) continue;
      if (i == (Word)running_number && visit->order > own) own = visit->order, innermost = visit->region;
      if (visit->order > any) any = visit->order, of_any = visit->region;
    }
  }
  if (!innermost) innermost = of_any;
  for (Word i = 0; innermost && i < regions_count(); ++i) {
    if (region_at(i) == innermost) return i + 1;
  }
  return 0;
}

static Region* region_named(const HChar* name) {
  for (Word i = 0; i < regions_count(); ++i) {
    Region* const region = *(Region**)VG_(indexXA)(regions, i);
    if (VG_(strcmp)(region->name, name) == 0) return region;
  }
  Region* const made = VG_(calloc)("gable.region", 1, sizeof *made);
  made->name = VG_(strdup)("gable.region", name);
  VG_(addToXA)(regions, &made);
  return made;
}

static Visit* visit_to(Thread* thread, Region* region) {
  for (Word i = 0; i < VG_(sizeXA)(thread->visits); ++i) {
    Visit* const visit = VG_(indexXA)(thread->visits, i);
    if (visit->region == region) return visit;
  }
  const Visit made = {.region = region};
  ++region->threads;
  return VG_(indexXA)(thread->visits, VG_(addToXA)(thread->visits, &made));
}

// The thread's work since ENTER does not belong to any open region.
static void leave_marker(Thread* thread) {
  if (!thread->in_marker) return;
  thread->in_marker = False;
  for (Word i = 0; i < VG_(sizeXA)(thread->visits); ++i) {
    Visit* const visit = VG_(indexXA)(thread->visits, i);
    if (visit->depth) add_difference(&visit->begin, running, &thread->entered);
  }
  for (Word i = 0; i < regions_count(); ++i) {
    Region* const region = *(Region**)VG_(indexXA)(regions, i);
    if (region->inside) add_difference(&region->begin, running, &thread->entered);
  }
}

static void start(Thread* thread, const HChar* name) {
  Region* const region = region_named(name);
  Visit* const visit = visit_to(thread, region);
  static ULong entries;
  if (visit->depth++ > 0) return;
  visit->order = ++entries;
  visit->begin = *running;
  ++region->calls;
  if (region->inside++ == 0) region->begin = all_threads();
}

// The marker itself reports a stop without a start.
static void stop(Thread* thread, const HChar* name) {
  Region* const region = region_named(name);
  Visit* const visit = visit_to(thread, region);
  if (visit->depth == 0 || --visit->depth > 0) return;
  add_difference(&region->work, running, &visit->begin);
  if (--region->inside > 0) return;
  const Tally now = all_threads();
  add_difference(&region->meanwhile, &now, &region->begin);
}

Bool regions_request(ThreadId id, UWord* request, UWord* result) {
  (void)id;
  if (request[0] < ENTER || request[0] > LEAVE) return False;
  Thread* const thread = running_thread();
  if (request[0] == ENTER) {
    thread->in_marker = True;
    thread->entered = *running;
  } else {
    leave_marker(thread);
  }
  if (request[0] == START) start(thread, (const HChar*)request[1]);
  if (request[0] == STOP) stop(thread, (const HChar*)request[1]);
  if (profile.is_on) profile_enter(regions_now());
  *result = 1;
  return True;
}
