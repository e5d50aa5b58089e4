#pragma once

// How long threads would take side by side, in instructions: each has a clock that counts its own, and that
// is set forward to the clock of the thread that wakes it when it has waited (futex(2)), or that of an ended
// one. Threads that spin while they wait count what they execute.

#include <pub_tool_basics.h>

void waits_switch(UInt number);  // another thread runs now
void waits_thread_starts(UInt number);
void waits_thread_ends(UInt number);
void waits_before_futex(UInt number, Addr address, UWord operation);
// `result`: of the call; negative: it failed.
void waits_after_futex(UInt number, Addr address, UWord operation, Long result);
void waits_forget(void);  // for a child after fork()

// The latest of all clocks, as a part of all instructions of all threads.
double waits_span(void);
