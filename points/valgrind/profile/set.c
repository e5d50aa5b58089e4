#include "points/valgrind/profile/set.h"

static const Held clean = {.dirty_from = -1};

static UInt place_of(const Set* set, UWord key) {
  UInt at = 0;
  while (at < set->count && set->keys[set->order[at]] != key) ++at;
  return at;
}

Held* set_use(Set* set, UWord key, Long* depth, Held* left) {
  UInt at = place_of(set, key), slot;
  *left = clean;
  if (at < set->count) {
    *depth = at;
    slot = set->order[at];
  } else {
    *depth = -1;
    if (at < most_depth) {
      slot = set->count++;
    } else {
      slot = set->order[--at];
      *left = set->held[slot];
    }
    set->keys[slot] = key;
    set->held[slot] = clean;
  }
  for (; at > 0; --at) set->order[at] = set->order[at - 1];
  set->order[0] = slot;
  return &set->held[slot];
}

Held* set_at(Set* set, UInt depth) {
  return &set->held[set->order[depth]];
}

// The line in the last slot moves to the slot that becomes free.
Held set_take_out(Set* set, UWord key) {
  UInt at = place_of(set, key);
  if (at == set->count) return clean;
  const UInt slot = set->order[at], last = --set->count;
  const Held out = set->held[slot];
  for (; at < set->count; ++at) set->order[at] = set->order[at + 1];
  if (slot == last) return out;
  set->keys[slot] = set->keys[last];
  set->held[slot] = set->held[last];
  for (UInt i = 0; i < set->count; ++i) {
    if (set->order[i] == last) set->order[i] = slot;
  }
  return out;
}
