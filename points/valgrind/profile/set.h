#pragma once

// The lines of a set of a cache that were used last, the latest first.

#include <pub_tool_basics.h>

enum { most_depth = 20 };

// What is known of a line.
typedef struct {
  void* writer;      // the record of the last write
  float dirty_from;  // its content is dirty in caches of more ways than this; < 0: it is clean
  UInt writes;       // to the line by all threads, as many as had happened after its last use
} Held;

// All 0: an empty one.
typedef struct {
  UWord keys[most_depth];
  Held held[most_depth];
  UChar order[most_depth];  // of last use: indices into these
  UInt count;
} Set;

// Uses the line of this key (from 1 on), which becomes the first of the set, and returns what is known of it.
// `*depth` is its place before, or -1 if it was not there. `*left` is the line that it evicts, clean if there
// is none.
Held* set_use(Set* set, UWord key, Long* depth, Held* left);

// Returns the line at this place.
Held* set_at(Set* set, UInt depth);

// Takes the line out and returns what was known of it; clean if it was not there.
Held set_take_out(Set* set, UWord key);
