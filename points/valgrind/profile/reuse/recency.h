#pragma once

// Reuse distances: how many other lines (or pages) were used since the last use of one. Only those that are
// followed are counted; the caller scales.

#include <pub_tool_basics.h>

// What is known of a followed line: half a line of the processor's own caches.
typedef struct {
  UWord key;         // its number, plus one; 0: a free slot
  UInt position;     // in the order of last uses, plus one; 0: it has left
  UInt writes;       // to the line by all threads, as many as had happened after this use
  float dirty_from;  // its content is dirty in caches of more lines than this; < 0: it is clean
  UInt writer;       // the number of the record of the last write
  ULong users;       // of all threads together: a bit for each thread that used it
} Used;

typedef struct Recency Recency;

enum { lines_at_first = 512 };

// Makes an object with room for so many lines. It grows when more lines are used.
Recency* recency_new(UWord lines);
Recency* recency_copy(const Recency* of);
void recency_free(Recency* recency);

// The entry of `key`; `*distance` is the reuse distance, or -1 at its first use. The entry is valid until the
// next call.
Used* recency_use(Recency* recency, UWord key, Long* distance);

// NULL: it was not used yet.
const Used* recency_find(const Recency* recency, UWord key);

UWord recency_count(const Recency* recency);

// A use after which the key is no longer there: its next use is one without a distance, as the first one.
// What else is known of it stays.
Used* recency_leave(Recency* recency, UWord key);

// Forgets the keys for which `is_kept` is false.
void recency_keep(Recency* recency, Bool (*is_kept)(UWord key));

// Forgets each key for which `most` or more other keys were used since its last use, after a call of `visit`
// for it.
void recency_drop(Recency* recency, UWord most, void (*visit)(Used* used, UWord since));

// Calls `visit` for every key, with the number of keys that were used since.
void recency_each(Recency* recency, void (*visit)(Used* used, UWord since));
