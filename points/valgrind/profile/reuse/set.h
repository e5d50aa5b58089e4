#pragma once

// The lines of a set of a cache that were used last, the latest first.

#include <pub_tool_basics.h>

enum { most_depth = 20, tag_bits = 34, dirty_bits = 5 };

// What is known of a line, in one word, so that a set fills few lines of the processor's own caches. From the
// lowest bit: the line's tag, its number without the lowest bits that all lines of the set share; one more
// than `dirty_from`, or 0; the record of the last write.
typedef ULong Held;

typedef struct {
  Held lines[most_depth];  // 0: none
} Set;

static inline Held held_clean(ULong tag) {
  return tag;
}

static inline ULong tag_of(Held held) {
  return held & ((1ULL << tag_bits) - 1);
}

// Its content is dirty in caches of more ways than this; -1: it is clean.
static inline Int dirty_from(Held held) {
  return (Int)(held >> tag_bits & ((1 << dirty_bits) - 1)) - 1;
}

static inline UInt writer_of(Held held) {
  return held >> (tag_bits + dirty_bits);
}

static inline Held held_dirty(Held held, UInt writer, UInt from) {
  return tag_of(held) | (ULong)(from + 1) << tag_bits | (ULong)writer << (tag_bits + dirty_bits);
}

// Uses the line of this tag (from 1 on), which becomes the first of the set. Returns its place before, or -1
// if it was not there. `*left` is the line that it evicts, 0 if there is none.
Int set_use(Set* set, ULong tag, Held* left);

// Takes the line out and returns what was known of it; 0 if it was not there.
Held set_take_out(Set* set, ULong tag);
