#pragma once

// Where the code of each function lies in its file, so that addresses of a run without Valgrind have the same
// functions.

#include "points/valgrind/json.h"
#include "points/valgrind/tally.h"

// Returns the function of an instruction that is translated. `last` is the last instruction of its block:
// code between two instructions of a function is the same function's.
Function* code_at(Addr address, UInt bytes, Addr last);

// Sets the code of a loop: it begins there in its file.
void code_set(Function* loop, ULong offset, SizeT bytes);

// Writes the function's code as pairs of offsets in its file: [[from,to],...].
void code_write(Json* json, const Function* function);
