#include "points/valgrind/profile/gaps.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/reuse/sampling.h"

enum { first_octave = 7 };  // no cache has fewer lines

typedef struct {
  ULong instructions;      // of the thread until `since`
  ULong since;             // instructions of all threads when it began to run
  ULong last[2][octaves];  // its instructions at the last read, by its own distances and by those of all
} Reads;

static XArray* of_threads;  // Reads, by number
static UInt whose;

static Reads* reads_of(UInt number) {
  const Reads none = {0};
  while (VG_(sizeXA)(of_threads) <= (Word)number) VG_(addToXA)(of_threads, &none);
  return VG_(indexXA)(of_threads, number);
}

void gaps_begin(void) {
  of_threads = VG_(newXA)(VG_(malloc), "gable.gaps", VG_(free), sizeof(Reads));
  whose = 0;
  reads_of(whose)->since = path_instructions();
}

void gaps_end(void) {
  VG_(deleteXA)(of_threads);
}

void gaps_switch(UInt number) {
  const ULong now = path_instructions();
  Reads* const before = reads_of(whose);
  before->instructions += now - before->since;
  whose = number;
  reads_of(number)->since = now;
}

void gaps_add(Reuse* reuse, Bool is_all, UInt bucket) {
  Reads* const reads = reads_of(whose);
  const ULong now = reads->instructions + path_instructions() - reads->since;
  const double most = window_of_path * followed.weight_of_line;  // reads that are not followed lie between
  const UInt end = bucket < NEVER ? (bucket + 3) / 4 : octaves;
  for (UInt octave = first_octave; octave < end; ++octave) {
    ULong* const last = &reads->last[is_all][octave];
    reuse->near[octave] += now - *last < most ? now - *last : most;
    *last = now;
  }
}
