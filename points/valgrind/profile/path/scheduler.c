#include "points/valgrind/profile/path/scheduler.h"

// About as many as a core of Zen 5 has for multiplications (docs/programs/counters.md, critical path).
enum { room = 64 };

// The latest starts, as a heap: the first one is the earliest of them.
static Ready waiting[room];
static UInt count;

void scheduler_restart(void) {
  count = 0;
}

const Ready* scheduler_entry(void) {
  return count == room ? &waiting[0] : NULL;
}

static void move_up(UInt at) {
  const Ready moved = waiting[at];
  for (; at > 0 && moved.cycles < waiting[(at - 1) / 2].cycles; at = (at - 1) / 2)
    waiting[at] = waiting[(at - 1) / 2];
  waiting[at] = moved;
}

static void move_down(UInt at) {
  const Ready moved = waiting[at];
  for (UInt next; (next = 2 * at + 1) < count; at = next) {
    if (next + 1 < count && waiting[next + 1].cycles < waiting[next].cycles) ++next;
    if (moved.cycles <= waiting[next].cycles) break;
    waiting[at] = waiting[next];
  }
  waiting[at] = moved;
}

void scheduler_enter(const Ready* start) {
  if (count < room) {
    waiting[count++] = *start;
    move_up(count - 1);
  } else if (start->cycles > waiting[0].cycles) {
    waiting[0] = *start;
    move_down(0);
  }
}
