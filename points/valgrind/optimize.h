#pragma once

// VEX optimizes code before a tool sees it, and removes loads and operations whose results are not used. This
// tool must see all of them, so VEX leaves the code as it is, and optimizes it here, after it was
// instrumented.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// Switches VEX's own optimization off. Blocks are not merged either, because that turns a second condition
// into guarded code.
void optimize_later(void);

// Returns the instrumented block, optimized.
IRSB* optimized(IRSB* block);
