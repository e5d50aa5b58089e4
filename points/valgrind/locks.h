#pragma once

// Functions of pthreads and GCC's OpenMP that ask for a lock or give it back.

#include <pub_tool_basics.h>

typedef struct {
  const HChar* name;  // as programs call it
  Bool asks;
  Addr lock;  // 0: the function's argument
} LockFunction;

// The function that begins at `code`; NULL: it is none of these.
const LockFunction* lock_function_at(Addr code);
