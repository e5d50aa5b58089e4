#pragma once

// Which values of a block of guest code are equal, as far as its code alone shows: sums of the same
// registers, for example. Two accesses often use the same address, which VEX computes twice.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// Begins a new block.
void values_begin(const IRSB* in);

// Follows a statement of the block.
void values_follow(const IRStmt* statement);

// The number of the value: equal numbers are equal values. 0: not known.
UInt value_of(const IRExpr* expression);
