#pragma once

// Accesses to lines that several threads use at the same time, and at least one of them writes: counters and
// locks that threads share, or data of several threads that happen to lie on one line (false sharing).
// Threads run one at a time, in turns that are much longer than a core keeps such a line. Some of the turns
// are therefore short, and all of their accesses are watched.

#include <pub_tool_basics.h>

// Two threads use the same bytes of the line, or each uses others.
typedef enum { NO_CONTEST, SAME_BYTES, OTHER_BYTES } Contest;

// Whether the turns are short now, and accesses are to be passed to contests_add().
extern Bool contests_are_watched;

// Some turn begins; `threads` can run. Turns are numbered from 1.
void contests_turn(ULong turn, UInt threads);

// How many blocks of code a turn has.
Int contests_length(Int usual);

// An access in the current turn of this thread. It contests the line if another thread accessed it in its
// latest turn, and one of the two writes.
Contest contests_add(UInt thread, Addr address, UInt bytes, Bool is_write);

// How many accesses each watched one stands for, of so many.
double contests_weight(double accesses);

void contests_forget(void);
