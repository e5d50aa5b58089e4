#pragma once

// Where the code of each function lies in its file, so that addresses of a run without Valgrind have the same
// functions.

#include "points/valgrind/json.h"
#include "points/valgrind/tally.h"

// An instruction of the function was translated.
void code_add(Function* function, Addr address, UInt bytes);

// Writes the function's code as pairs of offsets in its file: [[from,to],...].
void code_write(Json* json, const Function* function);
