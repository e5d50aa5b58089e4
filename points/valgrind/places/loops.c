#include "points/valgrind/places/loops.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

#include "points/valgrind/places/code.h"
#include "points/valgrind/places/runs.h"
#include "points/valgrind/profile/path/critical_path.h"

// Instructions of a loop each time that it is entered, several microseconds: shorter ones overlap with what
// comes before and after.
enum { least_phase = 20000 };

// Of a function with more loops, as a stripped library is one, the others are not told apart: the time to
// look for them grows with the square of their number.
enum { most_loops = 128 };

// Bytes of code. Without symbols, a jump back over more is one to another function.
enum { longest_loop = 1 << 16 };

struct Loop {
  Function function;  // the first member: a part of a function that has a whole is a Loop
  Addr first, last;   // instructions; the last one jumps back
  Loop* next;         // of the same function
  Loop* around;       // the smallest loop that contains it; NULL: none (loops_join)
  Function* joined;   // what it was added to; NULL: nothing
  ULong entered;      // at most so many times
  ULong with_inner;   // instructions, with those of all loops in it
};

static Bool contains(const Loop* loop, Addr instruction) {
  return instruction >= loop->first && instruction <= loop->last;
}

static Bool is_smaller(const Loop* a, const Loop* b) {
  return !b || a->last - a->first < b->last - b->first;
}

Function* loop_at(Function* whole, Addr instruction) {
  Loop* innermost = NULL;
  for (Loop* loop = whole->loops; loop; loop = loop->next) {
    if (contains(loop, instruction) && is_smaller(loop, innermost)) innermost = loop;
  }
  return innermost ? &innermost->function : whole;
}

static Loop* loop_from(Function* whole, Addr first) {
  Loop* loop = whole->loops;
  while (loop && loop->first != first) loop = loop->next;
  return loop;
}

// Generated code may become other code.
static Loop* new_loop(Function* whole, Addr first) {
  UInt known = 0;
  for (const Loop* loop = whole->loops; loop; loop = loop->next) ++known;
  if (known == most_loops) return NULL;
  const NSegment* const segment = VG_(am_find_nsegment)(first);
  if (!segment || segment->kind != SkFileC) return NULL;
  Loop* const loop = VG_(calloc)("gable.loop", 1, sizeof *loop);
  loop->function.name = whole->name;
  loop->function.object = whole->object;
  loop->function.whole = whole;
  loop->function.offset = first - segment->start + segment->offset;
  loop->first = loop->last = first;
  loop->next = whole->loops;
  whole->loops = loop;
  return loop;
}

static void move_runs(Function* whole, const Loop* to) {
  for (Run* run = whole->runs; run; run = run->next) {
    if (!contains(to, run->address)) continue;
    Function* const part = loop_at(whole, run->address);
    if (part != run->function) run_move(run, part);
  }
}

static void add(Addr first, Addr last) {
  if (last - first > longest_loop) return;
  Function* const whole = function_at(last);
  Loop* loop = loop_from(whole, first);
  if (loop && loop->last >= last) return;
  if (!loop && function_at(first) == whole) loop = new_loop(whole, first);
  if (!loop) return;
  loop->last = last;
  code_set(&loop->function, loop->function.offset, last - first + 1);
  move_runs(whole, loop);
}

// A string instruction jumps to itself.
static void add_jump(IRJumpKind kind, const IRConst* target, Addr from) {
  if (kind == Ijk_Boring && target->Ico.U64 < from) add(target->Ico.U64, from);
}

void loops_find(const IRSB* block) {
  Addr address = 0;
  for (Int i = 0; i < block->stmts_used; ++i) {
    const IRStmt* const statement = block->stmts[i];
    if (statement->tag == Ist_IMark) {
      const Addr before = address;
      address = statement->Ist.IMark.addr + statement->Ist.IMark.delta;
      if (address < before) add(address, before);  // the block follows the jump
    } else if (statement->tag == Ist_Exit) {
      add_jump(statement->Ist.Exit.jk, statement->Ist.Exit.dst, address);
    }
  }
  if (block->next->tag == Iex_Const) add_jump(block->jumpkind, block->next->Iex.Const.con, address);
}

static Loop* find_around(const Loop* inner) {
  Loop* found = NULL;
  for (Loop* loop = inner->function.whole->loops; loop; loop = loop->next) {
    if (!loop->joined && contains(loop, inner->first) && contains(loop, inner->last) &&
        is_smaller(inner, loop) && is_smaller(loop, found))
      found = loop;
  }
  return found;
}

static Function* part_around(const Loop* loop) {
  return loop->around ? &loop->around->function : loop->function.whole;
}

static Function* joined(Function* part) {
  while (part->whole && ((Loop*)part)->joined) part = ((Loop*)part)->joined;
  return part;
}

// A loop in a part of its function was entered at most as often as the rest of the part was executed.
static ULong most_executed(const Function* part, const Run* runs) {
  ULong most = 1;
  for (const Run* run = runs; run; run = run->next) {
    if (joined(run->function) == part && run->executed > most) most = run->executed;
  }
  return most;
}

static void join(Loop* loop) {
  Function* const to = joined(part_around(loop));
  for (UInt i = 0; i < COUNTERS; ++i) to->tally.of[i] += loop->function.tally.of[i];
  path_add(to, loop->function.path);
  function_forget(&loop->function);
  loop->joined = to;
}

// Code that a compiler has put behind the rest of its function jumps back too, and nothing is repeated: what
// lies between is executed no more often than what is around it. What that is may change (unite).
static void find_no_loop(Loop* loop) {
  const Run* const runs = loop->function.whole->runs;
  loop->around = find_around(loop);
  if (most_executed(&loop->function, runs) <= most_executed(part_around(loop), runs))
    loop->joined = joined(part_around(loop));
}

static void join_no_loop(Loop* loop) {
  if (!loop->joined) return;
  loop->around = find_around(loop);
  join(loop);
}

static void join_if_short(Loop* loop, ULong* of_whole) {
  if (loop->joined) return;
  *(loop->around ? &loop->around->with_inner : of_whole) += loop->with_inner;
  if (loop->with_inner / loop->entered < least_phase) join(loop);
}

// A loop is no part of a function, or of another loop, that does hardly anything else.
static void join_if_alone(Loop* loop, ULong of_whole) {
  enum { nearly_all = 100 };  // all but one in so many instructions
  const ULong all = loop->around ? loop->around->with_inner : of_whole;
  if (!loop->joined && all - loop->with_inner <= all / nearly_all) join(loop);
}

static Int by_size(const void* a, const void* b) {
  const Loop *const one = *(Loop*const*)a, *const other = *(Loop*const*)b;
  return is_smaller(one, other) ? -1 : is_smaller(other, one);
}

// Loops that overlap have several ways back, as the arms of a condition at the end of a loop: they are one.
static void unite(Loop** loops, UInt count) {
  for (UInt i = 0; i < count; ++i) {
    Loop* const low = loops[i];
    for (UInt j = 0; j < count && !low->joined; ++j) {
      const Loop* const high = loops[j];
      if (high->joined || !contains(low, high->first) || high->first == low->first || high->last <= low->last)
        continue;
      low->last = high->last;
      code_set(&low->function, low->function.offset, low->last - low->first + 1);
      j = 0;
    }
  }
}

void loops_join(Function* whole) {
  UInt count = 0, next = 0;
  for (const Loop* loop = whole->loops; loop; loop = loop->next) ++count;
  if (!count) return;
  Loop** const loops = VG_(malloc)("gable.loops", count * sizeof *loops);
  for (Loop* loop = whole->loops; loop; loop = loop->next) {
    loop->joined = NULL;
    loops[next++] = loop;
  }
  VG_(ssort)(loops, count, sizeof *loops, by_size);
  for (UInt i = count; i-- > 0;) find_no_loop(loops[i]);
  unite(loops, count);
  for (UInt i = 0; i < count; ++i) join_no_loop(loops[i]);
  VG_(ssort)(loops, count, sizeof *loops, by_size);
  for (UInt i = 0; i < count; ++i) {
    if (!loops[i]->joined) loops[i]->around = find_around(loops[i]);
    loops[i]->entered = most_executed(part_around(loops[i]), whole->runs);  // before short loops join it
    loops[i]->with_inner = loops[i]->function.tally.of[INSTRUCTIONS];
  }
  ULong of_whole = whole->tally.of[INSTRUCTIONS];
  for (UInt i = 0; i < count; ++i) join_if_short(loops[i], &of_whole);
  for (UInt i = 0; i < count; ++i) join_if_alone(loops[i], of_whole);
  VG_(free)(loops);
}

const Function* loop_joined(const Function* part) {
  return joined((Function*)part);
}

// The first one of those that are executed most often.
static Addr most_executed_code(const Function* loop) {
  Addr most = ((const Loop*)loop)->first;
  ULong executed = 0;
  for (const Run* run = loop->whole->runs; run; run = run->next) {
    if (joined(run->function) != loop || !contains((const Loop*)loop, run->address)) continue;
    if (run->executed < executed) continue;
    if (run->executed == executed && run->address > most) continue;
    executed = run->executed;
    most = run->address;
  }
  return most;
}

// Sets the file and the line of "0x1250: main (/src/app.c:12)", which Valgrind's next description overwrites.
static Bool set_line(HChar* description, const HChar** file, UInt* line) {
  HChar* const path = VG_(strrchr)(description, '(');
  HChar* const colon = VG_(strrchr)(description, ':');
  if (!path || !colon || colon < path) return False;
  *line = VG_(strtoll10)(colon + 1, NULL);
  *colon = '\0';
  *file = path + 1;
  return *line > 0;
}

static Bool is_of_system(const HChar* file) {
  static const HChar folder[] = "/usr/";
  return VG_(strncmp)(file, folder, sizeof folder - 1) == 0;
}

// Of code that a compiler has put into its callers, the first one that is not the system's, such as those of
// the C++ library.
Bool loop_line(const Function* loop, const HChar** file, UInt* line) {
  static HChar description[4096];
  const DiEpoch now = VG_(current_DiEpoch)();
  const Addr code = most_executed_code(loop);
  InlIPCursor* const cursor = VG_(new_IIPC)(now, code);
  Bool is_own;
  do {
    VG_(strncpy)(description, VG_(describe_IP)(now, code, cursor), sizeof description - 1);
    is_own = set_line(description, file, line) && !is_of_system(*file);
  } while (!is_own && VG_(next_IIPC)(cursor));
  VG_(delete_IIPC)(cursor);
  const HChar* folder;
  return is_own || VG_(get_filename_linenum)(now, code, file, &folder, line);
}

const Function* loop_next(const Function* whole, const Function* loop) {
  const Loop* const next = loop ? ((const Loop*)loop)->next : whole->loops;
  return next ? &next->function : NULL;
}

void loops_forget(Function* whole) {
  for (Loop* loop = whole->loops; loop; loop = loop->next) function_forget(&loop->function);
}
