#include "points/valgrind/profile/reuse/set.h"

Int set_use(Set* set, ULong tag, Held* left) {
  Held before = held_clean(tag);
  *left = 0;
  for (UInt at = 0; at < most_depth; ++at) {
    const Held here = set->lines[at];
    set->lines[at] = before;
    if (tag_of(here) == tag) {
      set->lines[0] = here;
      return at;
    }
    if (!here) return -1;
    before = here;
  }
  *left = before;
  return -1;
}

Held set_take_out(Set* set, ULong tag) {
  UInt at = 0;
  while (at < most_depth && tag_of(set->lines[at]) != tag) ++at;
  if (at == most_depth) return 0;
  const Held out = set->lines[at];
  for (; at + 1 < most_depth; ++at) set->lines[at] = set->lines[at + 1];
  set->lines[at] = 0;
  return out;
}
