#pragma once

// Threads take turns in a fixed order, however busy the machine is. Valgrind hands over to the threads that
// wait for their turn. If the system stops a thread before it waits again, the others would run on without
// it, and accesses that a parallel run does at the same time would be many turns apart.

#include <pub_tool_basics.h>

// A thread runs code of the program from now on, by its number; and it does not: it begins a system call, or
// ends.
void turns_begin(UInt number);
void turns_leave(UInt number);

// A thread has woken so many others, which come first too; or, with -1, one of them has come back.
void turns_wake(Int threads);

// The running thread's turn is over.
void turns_end(void);

// How many turns have begun, and how many threads can run.
ULong turns_now(void);
UInt turns_ready(void);

// In a child after fork(), where the threads are numbered anew.
void turns_forget(void);

// How many blocks of code the running thread may run: `usual` many, or one while another thread must come
// first.
Int turns_length(Int usual);
