/* likwid's marker macros on Gable's marked regions: sources that use them are compiled unchanged, with this
 * folder before likwid's in the include path (and -DLIKWID_PERFMON, as for likwid). LIKWID_MARKER_GET gives
 * the seconds and calls of the region so far and no events. */
#ifndef LIKWID_MARKER_H
#define LIKWID_MARKER_H

#ifdef LIKWID_PERFMON
#include <gable-marker.h>

static inline void gable_likwid_get(const char* name, int* nr_events, double* seconds, int* count) {
  pthread_mutex_lock(&gable_marker_lock);
  GableMarkerRegion* region = gable_marker_on() ? gable_marker_region(name) : NULL;
  if (nr_events) *nr_events = 0;
  if (seconds) *seconds = region ? region->seconds : 0;
  if (count) *count = region ? (int)region->calls : 0;
  pthread_mutex_unlock(&gable_marker_lock);
}

#define LIKWID_MARKER_INIT ((void)0)
#define LIKWID_MARKER_THREADINIT ((void)0)
#define LIKWID_MARKER_SWITCH ((void)0)
#define LIKWID_MARKER_REGISTER(tag) ((void)(tag))
#define LIKWID_MARKER_START(tag) gable_marker_start(tag)
#define LIKWID_MARKER_STOP(tag) gable_marker_stop(tag)
#define LIKWID_MARKER_CLOSE gable_marker_close()
#define LIKWID_MARKER_RESET(tag) ((void)(tag))
#define LIKWID_MARKER_GET(tag, nr_events, events, seconds, count) \
  ((void)(events), gable_likwid_get(tag, nr_events, seconds, count))
#else
#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_REGISTER(tag)
#define LIKWID_MARKER_START(tag)
#define LIKWID_MARKER_STOP(tag)
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_RESET(tag)
#define LIKWID_MARKER_GET(tag, nr_events, events, seconds, count)
#endif

#endif
