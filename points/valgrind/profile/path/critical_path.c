#include "points/valgrind/profile/path/critical_path.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

#include "points/valgrind/profile/path/ready.h"
#include "points/valgrind/profile/path/scheduler.h"
#include "points/valgrind/profile/reuse/sampling.h"

enum {
  tracked_in_row = 40960,  // instructions
  tracked_share = 32,
  per_cycle = 4,  // instructions that enter a core
  refill = 12     // cycles from a mispredicted branch's condition to the instructions after it
};

Long path_countdown;
static Long counted;  // instructions when it was 0

ULong path_instructions(void) {
  return counted - path_countdown;
}

// Which chain is the longest depends on the core. These are usual latencies (Fog, "Instruction tables"); the
// time of the operations is computed from those of the machine.
static const struct {
  const HChar* name;
  UInt cycles;
} usual[LATENCIES] = {[INTEGER_OPERATION] = {"integer", 1},
                      [INTEGER_MUL] = {"integer_mul", 3},
                      [INTEGER_DIV_32] = {"integer_div_32", 12},
                      [INTEGER_DIV_64] = {"integer_div_64", 14},
                      [DIVIDER_32] = {"divider_32", 6},
                      [DIVIDER_64] = {"divider_64", 9},
                      [LOAD] = {"load", 5},
                      [FORWARD] = {"forward", 4},
                      [FP_ADD] = {"add", 4},
                      [FP_MUL] = {"mul", 4},
                      [FP_FMA] = {"fma", 4},
                      [DIV_SP] = {"div_sp", 11},
                      [DIV_DP] = {"div_dp", 14},
                      [SQRT_SP] = {"sqrt_sp", 12},
                      [SQRT_DP] = {"sqrt_dp", 18},
                      [CONVERT] = {"convert", 6},
                      [ATOMIC] = {"atomic", 18}};

const HChar* path_operation(Latency latency) {
  return usual[latency].name;
}

static Ready* ready_of;  // by slot
static UInt slots;

static ULong instructions;  // tracked since the restart
static Ready ended;         // when all operations so far have ended
static Ready floor;         // when those before the window have
static Long stalled;        // parts of a cycle in which no instruction entered the core
static const Steps* last;   // followed; NULL: none since the restart
static Addr last_line;      // of a chained load
static ULong flushes;       // mispredicted branches

// When all had ended up to some instruction, of the last pieces. Few pieces are less than an instruction.
static struct {
  ULong instruction;
  Ready ended;
} ends[window_of_path];
static UInt oldest, newest;  // of `ends`; equal: there are none

// The latest stores, by address.
enum { stores = 1024 };
static struct {
  Addr address;
  UInt restart;  // the data is of an older restart otherwise
  Ready data;
} stored[stores];
static UInt restarts;

void path_restart(void) {
  ++restarts;
  instructions = 0;
  stalled = 0;
  last = NULL;
  oldest = newest = 0;
  scheduler_restart();
  VG_(memset)(&ended, 0, sizeof ended);
  VG_(memset)(&floor, 0, sizeof floor);
  if (ready_of) VG_(memset)(ready_of, 0, slots * sizeof *ready_of);
}

// The distances between tracked pieces vary, so that they do not follow a period of the program.
static void begin_pause(void) {
  static ULong random = 1;
  random = random * 6364136223846793005ULL + 1442695040888963407ULL;
  const ULong mean = (tracked_share - 1) * tracked_in_row;
  counted -= path_countdown;
  path_countdown = mean / 2 + (random >> 33) % mean;
  counted += path_countdown;
  path_restart();
}

static UInt place_of(Addr address) {
  return (address * 0x9e3779b97f4a7c15ULL) >> 54;
}

static Long latest(Long a, Long b) {
  return a > b ? a : b;
}

static Ready later(const Ready* a, const Ready* b) {
  Ready both = a->cycles >= b->cycles ? *a : *b;
  both.in_order = latest(a->in_order, b->in_order);
  both.loads = a->loads > b->loads ? a->loads : b->loads;
  both.unordered = a->unordered > b->unordered ? a->unordered : b->unordered;
  return both;
}

// Loads without an order before the latest mispredicted branch have ended: their number is below that of the
// mispredicted branches in the upper part.
enum { bits_of_loads = 16 };

static UInt unordered_loads(const Ready* ready) {
  return ready->unordered >> bits_of_loads == flushes ? ready->unordered & ((1 << bits_of_loads) - 1) : 0;
}

static void add_unordered_load(Ready* ready) {
  const UInt loads = unordered_loads(ready);
  if (loads + 1 < 1 << bits_of_loads) ready->unordered = (flushes << bits_of_loads) + loads + 1;
}

// The operation starts when the scheduler has room for it. The other clocks do not wait for that.
static void enter_scheduler(Ready* start) {
  const Ready* const entry = scheduler_entry();
  if (entry && entry->cycles > start->cycles) {
    start->cycles = entry->cycles;
    VG_(memcpy)(start->operations, entry->operations, sizeof start->operations);
  }
  scheduler_enter(start);
}

// `before`: instructions before that of the operation since the piece began.
static void set_ready(UInt slot, const Ready* when, UInt latency, UInt before) {
  Ready ready = later(when, &floor);
  ready.unordered = when->unordered;
  ready.in_order = latest(ready.in_order, (Long)instructions + before + stalled);
  if (latency != NO_OPERATION) {
    enter_scheduler(&ready);
    ready.cycles += usual[latency].cycles;
    ++ready.operations[latency];
    ready.in_order += per_cycle * usual[latency].cycles;
    ready.loads += latency == LOAD;
  }
  ended = later(&ended, &ready);
  ready_of[slot] = ready;
}

static void store(const Step* step) {
  if (!step->site) return;
  const UInt place = place_of(step->site->last);
  stored[place].address = step->site->last;
  stored[place].restart = restarts;
  stored[place].data = ready_of[step->a];
}

static void load(const Step* step) {
  set_ready(step->to, &ready_of[step->a], LOAD, step->before);
  if (!step->site) return;
  if (step->site->is_unordered) add_unordered_load(&ready_of[step->to]);
  const UInt place = place_of(step->site->last);
  if (stored[place].address != step->site->last || stored[place].restart != restarts) return;
  const Ready from_cache = ready_of[step->to];
  set_ready(step->to, &stored[place].data, FORWARD, step->before);
  ready_of[step->to] = later(&ready_of[step->to], &from_cache);
}

static Bool is_of_site(const Step* step) {
  return step->latency == LOAD && !step->is_store && step->site;
}

static Bool is_next_of_chain(const Step* step) {
  if (!is_of_site(step)) return False;
  if (chain_length(&step->site->origin) < least_chain) return False;
  const Addr line = step->site->last >> line_shift;
  const Bool is_next = line != last_line;
  last_line = line;
  return is_next;
}

static void follow(const Step* step) {
  if (step->is_store) {
    store(step);
  } else if (step->latency == LOAD) {
    load(step);
  } else {
    const Ready inputs = later(&ready_of[step->a], &ready_of[step->b]);
    set_ready(step->to, &inputs, step->latency, step->before);
  }
}

static void move_window(UInt more) {
  instructions += more;
  ends[newest % window_of_path].instruction = instructions;
  ends[newest % window_of_path].ended = ended;
  ++newest;
  if (newest - oldest > window_of_path) ++oldest;
  while (oldest != newest && ends[oldest % window_of_path].instruction + window_of_path <= instructions)
    floor = ends[oldest++ % window_of_path].ended;
  stalled = latest(stalled, floor.in_order - (Long)instructions);
}

static void make_room(const Steps* steps) {
  UInt most = first_temporary;
  for (UInt i = 0; i < steps->count; ++i) {
    if (steps->steps[i].to > most) most = steps->steps[i].to;
  }
  if (most < slots) return;
  ready_of = VG_(realloc)("gable.ready", ready_of, 2 * most * sizeof *ready_of);
  VG_(memset)(ready_of + slots, 0, (2 * most - slots) * sizeof *ready_of);
  slots = 2 * most;
}

static CriticalPath* path_of(Function* function) {
  if (!function->path) function->path = VG_(calloc)("gable.path", 1, sizeof *function->path);
  return function->path;
}

void path_add(Function* to, const CriticalPath* more) {
  if (!more) return;
  CriticalPath* const path = path_of(to);
  for (UInt i = 0; i < LATENCIES; ++i) path->operations[i] += more->operations[i];
  path->instructions += more->instructions;
  path->mispredicted += more->mispredicted;
  path->resolving += more->resolving;
  path->chained += more->chained;
  path->steps += more->steps;
  path->unordered += more->unordered;
  path->waited += more->waited;
}

VG_REGPARM(1) void path_follow(const Steps* steps) {
  if (path_countdown < -tracked_in_row) {
    begin_pause();
    return;
  }
  make_room(steps);
  const Ready before = ended;
  UInt chained = 0, unordered = 0;
  for (UInt i = 0; i < steps->count; ++i) {
    follow(&steps->steps[i]);
    chained += is_next_of_chain(&steps->steps[i]);
    unordered += is_of_site(&steps->steps[i]) && steps->steps[i].site->is_unordered;
  }
  move_window(steps->instructions);
  last = steps;
  if (!steps->run) return;
  CriticalPath* const path = path_of(steps->run->function);
  path->instructions += steps->instructions;
  path->chained += chained;
  path->unordered += unordered;
  path->steps += ended.loads - before.loads;
  if (ended.cycles == before.cycles) return;
  for (UInt i = 0; i < LATENCIES; ++i)
    path->operations[i] += (Long)ended.operations[i] - before.operations[i];
}

void path_mispredicted(Function* function) {
  if (path_countdown >= 0 || !last) return;
  const Long enters = (Long)instructions + stalled;
  const Long known = latest(enters, ready_of[last->condition].in_order);
  CriticalPath* const path = path_of(function);
  ++path->mispredicted;
  path->resolving += (double)(known - enters) / per_cycle;
  path->waited += unordered_loads(&ready_of[last->condition]);
  ++flushes;
  stalled += known + per_cycle * refill - enters;
}
