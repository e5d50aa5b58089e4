#include "points/valgrind/profile/path/piece.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

static Step* steps;
static UInt count, room;
static UInt next_slot;
static UInt instructions;

void piece_begin(void) {
  count = 0;
  instructions = 0;
  next_slot = first_temporary;
}

void piece_next_instruction(void) {
  ++instructions;
}

static Step* add(Step step) {
  enum { most_before = 255 };
  const UInt before = instructions ? instructions - 1 : 0;
  step.before = before < most_before ? before : most_before;
  if (count == room) {
    room = 2 * room + 64;
    steps = VG_(realloc)("gable.steps", steps, room * sizeof *steps);
  }
  steps[count] = step;
  return &steps[count++];
}

UShort piece_add(UShort a, UShort b, Latency latency) {
  enum { most_slots = 0xffff };
  if (next_slot == most_slots) return known_slot;
  return add((Step){.to = next_slot++, .a = a, .b = b, .latency = latency})->to;
}

UShort piece_load(UShort a, const Site* site) {
  const UShort slot = piece_add(a, known_slot, LOAD);
  if (slot != known_slot) steps[count - 1].site = site;
  return slot;
}

void piece_store(UShort value, const Site* site) {
  add((Step){.a = value, .latency = NO_OPERATION, .is_store = True, .site = site});
}

void piece_write(UShort to, UShort value) {
  add((Step){.to = to, .a = value, .latency = NO_OPERATION});
}

static void remove_unused(UShort condition) {
  static UChar* is_needed;
  static UInt slots;
  if (slots < next_slot) is_needed = VG_(realloc)("gable.needed", is_needed, slots = 2 * next_slot);
  VG_(memset)(is_needed, False, next_slot);
  VG_(memset)(is_needed, True, first_temporary);
  is_needed[condition] = True;
  UInt from = count;
  for (UInt i = count; i-- > 0;) {
    if (!steps[i].is_store && !is_needed[steps[i].to]) continue;
    is_needed[steps[i].a] = is_needed[steps[i].b] = True;
    steps[--from] = steps[i];
  }
  count -= from;
  VG_(memmove)(steps, steps + from, count * sizeof *steps);
}

Steps* piece_end(const Run* run, UShort condition) {
  remove_unused(condition);
  if (!instructions && !count) return NULL;
  Steps* const of = VG_(malloc)("gable.steps", sizeof *of + count * sizeof *steps);
  of->run = run;
  of->instructions = instructions;
  of->condition = condition;
  of->count = count;
  VG_(memcpy)(of->steps, steps, count * sizeof *steps);
  return of;
}
