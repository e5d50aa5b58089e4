#pragma once

// Functions of programs and libraries without symbols, by their tables for unwinding, which stripping keeps.

#include <pub_tool_basics.h>

// The address at which the function begins that contains this instruction; 0: the file has no table, or the
// function is not in it.
Addr unwind_function(Addr instruction);

// How it is called, "gzip+0x1250" with its offset in the file `object`; NULL: not known. The next call reuses
// the memory.
const HChar* unwind_name(Addr instruction, const HChar* object);
