#include "points/valgrind/places/runs.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/expressions.h"

static XArray* runs;  // Run*

Run* run_of(Function* function, Addr address) {
  if (!runs) runs = VG_(newXA)(VG_(malloc), "gable.runs", VG_(free), sizeof(Run*));
  Run* const run = VG_(calloc)("gable.run", 1, sizeof(Run));
  Function* const whole = function->whole ? function->whole : function;
  run->function = function;
  run->address = address;
  run->next = whole->runs;
  whole->runs = run;
  VG_(addToXA)(runs, &run);
  return run;
}

void run_does(Run* run, const ULong counts[COUNTERS]) {
  UInt pairs[2 * COUNTERS];
  for (UInt i = 0; i < COUNTERS; ++i) {
    if (!counts[i]) continue;
    pairs[2 * run->works] = i;
    pairs[2 * run->works++ + 1] = counts[i];
  }
  const SizeT bytes = 2 * run->works * sizeof *pairs;
  if (bytes) run->work = VG_(memcpy)(VG_(malloc)("gable.run", bytes), pairs, bytes);
}

void run_emit(Run* run, IRSB* out) {
  increment(out, &run->executed, mkIRExpr_HWord(1));
}

static Run* run_at(Word index) {
  return *(Run**)VG_(indexXA)(runs, index);
}

static void settle(Run* run) {
  ULong* const tally = run->function->tally.of;
  const ULong more = run->executed - run->settled;
  for (UInt j = 0; j < run->works; ++j) tally[run->work[2 * j]] += more * run->work[2 * j + 1];
  run->settled = run->executed;
  for (UInt i = LOAD_BYTES; i <= STORE_BYTES; ++i) {
    tally[i] += run->guarded[i];
    run->guarded[i] = 0;
  }
}

void run_move(Run* run, Function* to) {
  settle(run);
  run->function = to;
}

void runs_settle(void) {
  for (Word i = 0; runs && i < VG_(sizeXA)(runs); ++i) settle(run_at(i));
}

void runs_forget(void) {
  for (Word i = 0; runs && i < VG_(sizeXA)(runs); ++i) {
    Run* const run = run_at(i);
    run->executed = run->settled = run->guarded[LOAD_BYTES] = run->guarded[STORE_BYTES] = 0;
  }
}
