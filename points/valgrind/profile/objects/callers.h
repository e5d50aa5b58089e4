#pragma once

// The chain of callers of an allocation, by which the profile tells objects apart.

#include <pub_tool_basics.h>
#include <pub_tool_execontext.h>

// The callers of the running thread's current instruction, the innermost first. A function that calls itself,
// directly or through others, ends the chain: what it allocates at any depth is one object. Without this each
// path to a node of a tree would be one.
ExeContext* callers_now(ThreadId thread);
