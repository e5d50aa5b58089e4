#pragma once

// Chains of loads: how many loads an address waited for, one after the other. x[i] is 1 load, x[index[i]] 2,
// and the loads of a pointer chase are more at every step. Followed through registers, not through memory.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "guest.h"

// Where a value comes from: registers, as they were at the last emission, and how many loads lie between. An
// address has a base and an index, which may be selected by a comparison of two more.
enum { most_origins = 4 };
typedef struct {
  UChar count;
  struct {
    UChar reg;  // `registers`: none, so the value depends on no load before
    UChar plus;
  } of[most_origins];
} Origin;

// Begins a new block.
void chains_begin(const IRSB* in);

// Follows a statement of the block.
void chains_follow(const IRStmt* statement);

// Where an address comes from.
Origin chains_origin(const IRExpr* address);

// Emits what the registers' values waited for. Before each statement at which control may leave, and at the
// end.
void chains_emit(IRSB* out);

// The length of the chain of a load whose address has this origin, when it is executed.
ULong chain_length(const Origin* origin);

// Loads of at least this length are chained.
enum { least_chain = 4 };

// Ages the chains now and then: they end at registers that did not change in between.
void chains_age(void);

void chains_switch(UInt number);  // another thread runs now
void chains_forget(void);
