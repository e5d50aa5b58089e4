#include "points/valgrind/tally.h"

#include <pub_tool_basics.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/places/loops.h"
#include "points/valgrind/places/runs.h"
#include "points/valgrind/places/unwind.h"

Tally* running;
UInt running_number;

typedef struct {
  Tally tally;
  UInt number;
} Thread;

static Thread** thread_of;  // by thread id; ids are reused
static XArray* threads;     // Thread*, in order
static OSet* functions;     // Function, by name and object

enum { slot_bits = 10 };

// Functions by an instruction of theirs: look-ups of names are slow.
static struct {
  Addr instruction;
  UInt epoch;
  Function* function;
} slots[1 << slot_bits];

static Word compare_functions(const void* key, const void* element) {
  const Function* const a = key;
  const Function* const b = element;
  const Word names = VG_(strcmp)(a->name, b->name);
  return names ? names : VG_(strcmp)(a->object, b->object);
}

void tally_initialize(void) {
  thread_of = VG_(calloc)("gable.ids", VG_N_THREADS, sizeof *thread_of);
  threads = VG_(newXA)(VG_(malloc), "gable.threads", VG_(free), sizeof(Thread*));
  functions = VG_(OSetGen_Create)(0, compare_functions, VG_(malloc), "gable.functions", VG_(free));
}

UInt tally_thread_starts(ThreadId thread) {
  if (!thread_of[thread]) {
    thread_of[thread] = VG_(calloc)("gable.thread", 1, sizeof(Thread));
    thread_of[thread]->number = VG_(addToXA)(threads, &thread_of[thread]);
  }
  return thread_of[thread]->number;
}

void tally_switch(ThreadId thread, ULong blocks_done) {
  (void)blocks_done;
  running_number = tally_thread_starts(thread);
  running = &thread_of[thread]->tally;
}

void tally_thread_ends(ThreadId thread) {
  thread_of[thread] = NULL;
}

void tally_forget(ThreadId thread) {
  for (Word i = 0; i < tally_threads(); ++i) VG_(free)(*(Thread**)VG_(indexXA)(threads, i));
  VG_(deleteXA)(threads);
  threads = VG_(newXA)(VG_(malloc), "gable.threads", VG_(free), sizeof(Thread*));
  VG_(memset)(thread_of, 0, VG_N_THREADS * sizeof *thread_of);
  tally_switch(thread, 0);
  runs_forget();
  VG_(OSetGen_ResetIter)(functions);
  for (Function* function; (function = VG_(OSetGen_Next)(functions));) {
    function_forget(function);
    loops_forget(function);
  }
}

void function_forget(Function* function) {
  VG_(memset)(&function->tally, 0, sizeof function->tally);
  VG_(free)(function->path);
  function->path = NULL;
}

Word tally_threads(void) {
  return VG_(sizeXA)(threads);
}

const Tally* tally_of_thread(Word index) {
  return &(*(Thread**)VG_(indexXA)(threads, index))->tally;
}

static Function* look_up(Addr instruction) {
  const DiEpoch now = VG_(current_DiEpoch)();
  Function wanted = {.name = "???", .object = "???"};
  const HChar* found;
  // Each look-up may reuse the memory of the previous one of its kind, so the texts are copied.
  if (VG_(get_objname)(now, instruction, &found)) wanted.object = found;
  if (VG_(get_fnname)(now, instruction, &found) || (found = unwind_name(instruction, wanted.object)))
    wanted.name = found;
  Function* known = VG_(OSetGen_Lookup)(functions, &wanted);
  if (known) return known;
  known = VG_(OSetGen_AllocNode)(functions, sizeof *known);
  VG_(memset)(known, 0, sizeof *known);
  known->name = VG_(strdup)("gable.name", wanted.name);
  known->object = VG_(strdup)("gable.object", wanted.object);
  VG_(OSetGen_Insert)(functions, known);
  return known;
}

Function* function_at(Addr instruction) {
  const UInt epoch = VG_(current_DiEpoch)().n,
             slot = (instruction ^ instruction >> slot_bits) % (1 << slot_bits);
  if (slots[slot].instruction != instruction || slots[slot].epoch != epoch || !slots[slot].function) {
    slots[slot].instruction = instruction;
    slots[slot].epoch = epoch;
    slots[slot].function = look_up(instruction);
  }
  return slots[slot].function;
}

void functions_rewind(void) {
  runs_settle();
  VG_(OSetGen_ResetIter)(functions);
}

Function* functions_next(void) {
  return VG_(OSetGen_Next)(functions);
}
