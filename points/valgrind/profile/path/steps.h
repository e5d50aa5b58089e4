#pragma once

// What a piece of a block does for the critical path: steps from values to values, in slots. The translation
// makes them (emit.h), and the tracked executions follow them (critical_path.h).

#include <pub_tool_basics.h>

#include "points/valgrind/profile/profile.h"

// Kinds of operations by what one waits for. NO_OPERATION takes no time: a copy, or several values that are
// waited for.
typedef enum {
  INTEGER_OPERATION,
  INTEGER_MUL,
  INTEGER_DIV_32,
  INTEGER_DIV_64,
  DIVIDER_32,  // for which the next division waits
  DIVIDER_64,
  LOAD,
  FORWARD,  // a load of what was stored shortly before
  FP_ADD,
  FP_MUL,
  FP_FMA,
  DIV_SP,
  DIV_DP,
  SQRT_SP,
  SQRT_DP,
  CONVERT,
  ATOMIC,
  NO_OPERATION,
  LATENCIES = NO_OPERATION
} Latency;

// Slot 0 is a value that was known long ago. Registers of the guest follow, by the 8 bytes where they begin,
// one more for the latest atomic operation, one for the divider of integers, and then temporaries of the
// block.
enum {
  known_slot = 0,
  latest_atomic = sizeof(GuestState) / 8 + 1,
  divider,
  register_slots,
  first_temporary = 1 + register_slots
};

typedef struct {
  UShort to, a, b;  // b: another value that is waited for. Of a store: the slot of the data, then of nothing
  UChar latency : 7;  // Latency
  UChar is_store : 1;
  UChar before;      // instructions of the piece before its own; the last number stands for more
  const Site* site;  // of a load or store whose address is known; else NULL
} Step;

typedef struct {
  const Run* run;  // whose function the instructions belong to; NULL: none
  UInt instructions;
  UShort condition;  // the slot of what decides where control goes at the end
  UInt count;
  Step steps[];
} Steps;
