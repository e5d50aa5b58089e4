#pragma once

// Depths of the followed lines in sets of several sizes, by each thread and by all threads together: how many
// other lines of the same set were used since a line was used last. A cache with as many sets misses if the
// depth is at least the number of its ways.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/records.h"

void sets_begin(void);
void sets_forget(void);
void sets_switch(UInt number);  // another thread runs now

void sets_add(Record* record, UWord line, Bool is_write, Order order);

// Whether the running thread used this line last of its class.
Bool sets_used_last(UWord line);

// A line is stored past the caches: none of them holds it any longer.
void sets_stream(UWord line);

// Forgets the classes of sets that are no longer followed.
void sets_keep_followed(void);

// Counts, at the end, what is dirty as written back by the caches that lines used since have filled.
void sets_finish(void);

// The standard error of the lines that 8 ways of 64 sets miss, relative to 1, because only some classes are
// followed; 0: all are.
double sets_error(void);
