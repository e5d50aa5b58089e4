#pragma once

// The steps of a piece of a block, while it is translated.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/path/steps.h"

void piece_begin(void);

void piece_next_instruction(void);

// Adds a step and returns the slot of its new value. `b`: another value that is waited for, or known_slot.
UShort piece_add(UShort a, UShort b, Latency latency);

// Adds a load from the address of this site (NULL: not known), whose value waits for `a`.
UShort piece_load(UShort a, const Site* site);

// Adds a store of the value at the address of this site.
void piece_store(UShort value, const Site* site);

// Copies a value into the slot of a register.
void piece_write(UShort to, UShort value);

// Returns the steps without those whose values nothing needs. NULL: there are no instructions.
Steps* piece_end(const Run* run, UShort condition);
