#pragma once

// The pages that a program has touched so far.

#include <pub_tool_basics.h>

// Notes the page of this address; whether nobody had touched it before.
Bool page_is_new(Addr address);

// None was touched: in a child, whose trace is another.
void pages_forget(void);
