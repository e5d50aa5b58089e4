#pragma once

// How often the threads of OpenMP's teams meet, by calls of GCC's and LLVM's libraries, and what one thread
// does outside of their parallel regions. Calls are the same for teams of one thread, so a run with one
// thread tells what several threads would do.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// Emits a count into the block with which the function of this name begins, if it is one of these.
void barriers_at_entry(IRSB* out, const HChar* symbol);
void barriers_at_exit(IRSB* out);  // where a parallel region may end

// Of the thread that meets others most often: barriers, and two for each parallel region, which begins and
// ends with one.
ULong barriers_count(void);

// The part of all instructions that are in no parallel region. 0: not known, because there are no regions, or
// because there were several threads.
double barriers_serial_part(void);

void barriers_forget(void);  // for a child after fork()
