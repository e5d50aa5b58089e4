#pragma once

// Functions that are known by their names.

#include <pub_tool_basics.h>

// The symbol of the function that begins at this address; NULL: none does.
const HChar* symbol_at(Addr code);

// Whether the symbol is `prefix` and then `name`. A version may be behind it.
Bool symbol_is(const HChar* symbol, const HChar* prefix, const HChar* name);
