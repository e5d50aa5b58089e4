#include "points/valgrind/profile/contests.h"

#include <pub_tool_libcbase.h>

#include "points/valgrind/profile/reuse/sampling.h"

// Short turns take about as long as a line takes from one core to another. They come in series of rounds, in
// each of which every thread has a turn; then as many rounds have the usual length.
enum { blocks_of_short_turn = 16, rounds_of_series = 16, slot_bits = 12 };

Bool contests_are_watched;

// The latest turn in which a thread accessed (or wrote) a line, and the bytes that it used in this series of
// turns. Turn 0: none.
typedef struct {
  UInt thread;
  ULong turn;
  ULong bytes;
} User;

// The last two threads that accessed a line, and the last two that wrote it, the latest first.
typedef struct {
  UWord line;
  User users[2], writers[2];
} Slot;

static Slot slots[1 << slot_bits];
static ULong turn_now, turns_left, series_began;
static UInt threads_now;
static ULong watched;

void contests_turn(ULong turn, UInt threads) {
  if (turn == turn_now) return;
  turn_now = turn;
  threads_now = threads;
  if (turns_left == 0) {
    contests_are_watched = !contests_are_watched;
    turns_left = (ULong)rounds_of_series * threads;
    series_began = turn;
  }
  --turns_left;
}

Int contests_length(Int usual) {
  return contests_are_watched && usual > blocks_of_short_turn ? blocks_of_short_turn : usual;
}

static ULong mask_of(Addr address, UInt bytes) {
  enum { line_bytes = 1 << line_shift };
  const ULong mask = bytes < line_bytes ? (1ULL << bytes) - 1 : -1ULL;
  return mask << address % line_bytes;
}

// The bytes of another thread, if it accessed the line in its latest turn: no more turns ago than there are
// other threads.
static ULong bytes_of_other(const User pair[2], UInt thread) {
  const User* const other = &pair[pair[0].thread == thread];
  return other->turn && other->thread != thread && turn_now - other->turn < threads_now ? other->bytes : 0;
}

static void use(User pair[2], UInt thread, ULong bytes) {
  if (pair[0].thread != thread) {
    const User other = pair[0];
    pair[0] = pair[1].thread == thread ? pair[1] : (User){.thread = thread};
    pair[1] = other;
  }
  if (pair[0].turn < series_began) pair[0].bytes = 0;
  pair[0].turn = turn_now;
  pair[0].bytes |= bytes;
}

Contest contests_add(UInt thread, Addr address, UInt bytes, Bool is_write) {
  ++watched;
  const UWord line = address >> line_shift;
  const ULong own = mask_of(address, bytes);
  Slot* const slot = &slots[line * HASH_FACTOR >> (64 - slot_bits)];
  if (slot->line != line) *slot = (Slot){.line = line};
  const ULong others = bytes_of_other(is_write ? slot->users : slot->writers, thread);
  use(slot->users, thread, own);
  if (is_write) use(slot->writers, thread, own);
  if (!others) return NO_CONTEST;
  return others & own ? SAME_BYTES : OTHER_BYTES;
}

double contests_weight(double accesses) {
  return watched ? accesses / watched : 0;
}

void contests_forget(void) {
  contests_are_watched = False;
  VG_(memset)(slots, 0, sizeof slots);
  turn_now = turns_left = series_began = watched = 0;
}
