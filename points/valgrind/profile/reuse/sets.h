#pragma once

// This file counts the depths of followed lines for several numbers of sets, by each thread and by all
// threads together. The depth of a use is how many other lines of the same set were used since the last use.
// A cache with this number of sets misses if the depth is at least the number of its ways.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/records.h"

void sets_begin(void);
void sets_forget(void);
void sets_switch(UInt number);  // another thread runs now

void sets_add(Record* record, UWord line, Bool is_write, Order order);

// Whether the line is the last used of its class, and the running thread used it.
Bool sets_used_last(UWord line);

// Records a store past the caches, after which no cache holds the line.
void sets_stream(UWord line);

// Forgets the classes of sets that are no longer followed.
void sets_keep_followed(void);

// At the end, counts dirty lines as written back by the caches that would have evicted them by now.
void sets_finish(void);

// Returns the standard error of the number of misses of 64 sets of 8 ways, relative to 1, because only some
// classes are followed; 0: all are followed.
double sets_error(void);
