#pragma once

// The pages that a program has touched so far.

#include <pub_tool_basics.h>

// Registers the page of this address; returns whether it is touched for the first time.
Bool page_is_new(Addr address);

// Forgets all pages: for a child process, which has its own trace.
void pages_forget(void);
