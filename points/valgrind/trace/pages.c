#include "points/valgrind/trace/pages.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

enum { page_shift = 12, first_slots = 1 << 12 };

static Addr* slots;  // hash table of page numbers + 1 with linear probing; 0: free
static UWord slot_count, used;
static Addr last;  // most accesses are to the same page as the previous one

static UWord place_of(Addr page) {
  UWord place = (page * 0x9e3779b97f4a7c15UL) >> 32 & (slot_count - 1);
  while (slots[place] && slots[place] != page) place = (place + 1) & (slot_count - 1);
  return place;
}

static void grow(void) {
  Addr* const old = slots;
  const UWord old_count = slot_count;
  slot_count = old_count ? 2 * old_count : first_slots;
  slots = VG_(calloc)("gable.pages", slot_count, sizeof *slots);
  for (UWord i = 0; i < old_count; ++i) {
    if (old[i]) slots[place_of(old[i])] = old[i];
  }
  VG_(free)(old);
}

Bool page_is_new(Addr address) {
  const Addr page = (address >> page_shift) + 1;
  if (page == last) return False;
  last = page;
  if (2 * used >= slot_count) grow();
  const UWord place = place_of(page);
  if (slots[place]) return False;
  slots[place] = page;
  ++used;
  return True;
}

void pages_forget(void) {
  last = 0;
  used = 0;
  if (slots) VG_(memset)(slots, 0, slot_count * sizeof *slots);
}
