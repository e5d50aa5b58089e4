#include "points/valgrind/profile/waits.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/futex.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/turns.h"

static XArray* clocks;    // ULong, by thread
static UInt whose;        // the running thread
static ULong since;       // instructions of all threads when it began to run
static ULong first;       // the same when this process began
static ULong latest_end;  // the latest clock of a thread that has ended

// The latest wakes, by address.
enum { wakes = 1024 };
static struct {
  Addr address;
  ULong clock;
} woken[wakes];

static ULong* clock_of(UInt number) {
  const ULong none = 0;
  if (!clocks) clocks = VG_(newXA)(VG_(malloc), "gable.clocks", VG_(free), sizeof none);
  while (VG_(sizeXA)(clocks) <= (Word)number) VG_(addToXA)(clocks, &none);
  return VG_(indexXA)(clocks, number);
}

// Brings the clock of the running thread up to date.
static void count(void) {
  const ULong now = path_instructions();
  *clock_of(whose) += now - since;
  since = now;
}

static void set_forward(UInt number, ULong to) {
  ULong* const clock = clock_of(number);
  if (to > *clock) *clock = to;
}

void waits_switch(UInt number) {
  if (number == whose) return;
  count();
  whose = number;
}

void waits_thread_starts(UInt number) {
  count();
  const ULong now = *clock_of(whose);
  *clock_of(number) = now;
}

void waits_thread_ends(UInt number) {
  count();
  const ULong clock = *clock_of(number);
  if (clock > latest_end) latest_end = clock;
}

static UInt place_of(Addr address) {
  return (address * 0x9e3779b97f4a7c15ULL) >> 54;
}

void waits_before_futex(UInt number, Addr address, UWord operation) {
  count();
  if (!futex_lets_go(operation)) return;
  woken[place_of(address)].address = address;
  woken[place_of(address)].clock = *clock_of(number);
}

// A wait fails if the value has changed before. The kernel wakes those that wait for a thread to end.
void waits_after_futex(UInt number, Addr address, UWord operation, Long result) {
  if (futex_wakes(operation) && result > 0) turns_wake(result);
  if (!futex_waits(operation)) return;
  if (woken[place_of(address)].address == address) {
    if (result >= 0) turns_wake(-1);
    set_forward(number, woken[place_of(address)].clock);
  } else if (result >= 0) {
    set_forward(number, latest_end);
  }
}

void waits_forget(void) {
  if (clocks) VG_(deleteXA)(clocks);
  clocks = NULL;
  whose = 0;
  since = first = path_instructions();
  latest_end = 0;
  VG_(memset)(woken, 0, sizeof woken);
}

double waits_span(void) {
  count();
  ULong latest = 0;
  for (Word i = 0; i < VG_(sizeXA)(clocks); ++i) {
    if (*clock_of(i) > latest) latest = *clock_of(i);
  }
  const ULong all = path_instructions() - first;
  return all ? (double)latest / all : 0;
}
