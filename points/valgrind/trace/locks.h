#pragma once

// Functions of pthreads and GCC's OpenMP that ask for a lock or give it back.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// Records the call if one of these functions begins at `code`.
void locks_emit(IRSB* out, Addr code);
