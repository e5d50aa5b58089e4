#pragma once

// Uses of the followed lines, by each thread and by all threads together.

#include <pub_tool_basics.h>

#include "points/valgrind/profile/chains.h"
#include "points/valgrind/profile/records.h"

void uses_begin(void);
void uses_forget(void);
void uses_switch(UInt number);  // another thread runs now

void uses_add(Record* record, UWord line, Bool is_write, Order order, const Origin* origin);

// A line is stored past the caches: none of them holds it any longer.
void uses_stream(Record* record, UWord line);

enum { most_sharing_threads = 64 };

// Accesses by thread `one` to lines that `other` had accessed before, those of stacks left out.
double uses_shared(UInt one, UInt other);
// The followed lines that several threads accessed.
UWord uses_shared_lines(void);

// The largest number of lines that any thread, or all together, follow.
UWord uses_most(void);

// Keeps only what is still followed after the threshold has fallen.
void uses_keep_followed(void);

// Counts, at the end, what is dirty as written back by the caches that lines used since have filled.
void uses_finish(void);
