#include "points/valgrind/profile/turns.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_mallocfree.h>

#include "yield.h"

// In this order a thread lets those come first that have not had a turn since its own: yields are quick where
// they help, and a millisecond helps if the other one waits for another CPU.
enum { most_yields = 20, most_sleeps = 50 };

typedef struct {
  Bool is_ready;  // it is neither in a system call nor has it ended
  ULong last;     // when its last turn began
} Turn;

static Turn* turns;
static UInt turn_count;
static ULong now;
static UInt whose;
static Int woken;  // threads that were woken and have not come back yet; negative: they were faster
static Bool is_over = True, is_first_come = True;
static Int tries;

static Turn* turn_of(UInt number) {
  if (number >= turn_count) {
    turns = VG_(realloc)("gable.turns", turns, (number + 1) * sizeof *turns);
    VG_(memset)(turns + turn_count, 0, (number + 1 - turn_count) * sizeof *turns);
    turn_count = number + 1;
  }
  return &turns[number];
}

static Bool is_another_due(ULong since) {
  if (woken > 0) return True;
  for (UInt i = 0; i < turn_count; ++i) {
    if (i != whose && turns[i].is_ready && turns[i].last < since) return True;
  }
  return False;
}

// Those that do not come are not waited for until they run again.
static void give_up(ULong since) {
  woken = 0;
  for (UInt i = 0; i < turn_count; ++i) {
    if (i != whose && turns[i].last < since) turns[i].is_ready = False;
  }
}

void turns_begin(UInt number) {
  Turn* const turn = turn_of(number);
  turn->is_ready = True;
  if (whose == number && !is_over) return;
  if (whose != number) tries = 0;
  whose = number;
  is_over = False;
  is_first_come = !is_another_due(turn->last);
  if (!is_first_come && tries++ < most_yields + most_sleeps) {
    if (tries <= most_yields) {
      yield_cpu();
    } else {
      VG_(poll)(NULL, 0, 1);
    }
    return;
  }
  if (!is_first_come) give_up(turn->last);
  is_first_come = True;
  tries = 0;
  turn->last = ++now;
}

void turns_leave(UInt number) {
  turn_of(number)->is_ready = False;
}

void turns_wake(Int threads) {
  woken += threads;
}

void turns_end(void) {
  is_over = True;
}

ULong turns_now(void) {
  return now;
}

UInt turns_ready(void) {
  UInt ready = 0;
  for (UInt i = 0; i < turn_count; ++i) ready += turns[i].is_ready;
  return ready;
}

void turns_forget(void) {
  VG_(free)(turns);
  turns = NULL;
  turn_count = whose = tries = 0;
  woken = 0;
  is_over = is_first_come = True;
}

Int turns_length(Int usual) {
  return is_first_come ? usual : 1;
}
