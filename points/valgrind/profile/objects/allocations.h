#pragma once

// Follows the functions that allocate memory, by name, in any program or library: C's, C++'s through malloc,
// those of memkind, libnuma and other allocators. A call ends when its return address is reached.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

#include "guest.h"

// Emits the call that notes an allocation into the block with which the function of this name begins, if it
// allocates.
void allocations_at_entry(IRSB* out, const HChar* symbol);

// Emits the call that ends it, if this block returns from a function.
void allocations_at_exit(IRSB* out);

// Another thread runs now.
void allocations_switch(UInt number);

// Whether the running thread is in such a function: what it maps is the allocator's own.
Bool allocations_is_inside(void);

void allocations_forget(void);
