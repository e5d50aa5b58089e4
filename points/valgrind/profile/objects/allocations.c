#include "points/valgrind/profile/objects/allocations.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_threadstate.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/calls.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/places/symbols.h"
#include "points/valgrind/profile/objects/callers.h"
#include "points/valgrind/profile/objects/objects.h"

enum { NO_ARGUMENT = 9 };

// Numbers of arguments.
typedef struct {
  const HChar* name;
  UInt size, factor;  // the block has size * factor bytes
  UInt old;           // the block that is given back, or moved
  UInt result;        // that points to where the address goes; NO_ARGUMENT: the address is returned
} Allocator;

static const Allocator allocators[] = {
    {"malloc", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"calloc", 0, 1, NO_ARGUMENT, NO_ARGUMENT},
    {"realloc", 1, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"reallocarray", 1, 2, 0, NO_ARGUMENT},
    {"free", NO_ARGUMENT, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"cfree", NO_ARGUMENT, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"memalign", 1, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"aligned_alloc", 1, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"valloc", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"pvalloc", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"posix_memalign", 2, NO_ARGUMENT, NO_ARGUMENT, 0},
    {"memkind_malloc", 1, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"memkind_calloc", 1, 2, NO_ARGUMENT, NO_ARGUMENT},
    {"memkind_realloc", 2, NO_ARGUMENT, 1, NO_ARGUMENT},
    {"memkind_posix_memalign", 3, NO_ARGUMENT, NO_ARGUMENT, 1},
    {"memkind_free", NO_ARGUMENT, NO_ARGUMENT, 1, NO_ARGUMENT},
    {"hbw_malloc", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"hbw_calloc", 0, 1, NO_ARGUMENT, NO_ARGUMENT},
    {"hbw_realloc", 1, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"hbw_posix_memalign", 2, NO_ARGUMENT, NO_ARGUMENT, 0},
    {"hbw_free", NO_ARGUMENT, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"numa_alloc", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"numa_alloc_local", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"numa_alloc_onnode", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"numa_alloc_interleaved", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"numa_alloc_interleaved_subset", 0, NO_ARGUMENT, NO_ARGUMENT, NO_ARGUMENT},
    {"numa_realloc", 2, NO_ARGUMENT, 0, NO_ARGUMENT},
    {"numa_free", NO_ARGUMENT, NO_ARGUMENT, 0, NO_ARGUMENT},
};

// A call that has not returned yet.
typedef struct {
  const Allocator* allocator;  // NULL: none
  Addr stack, target;          // what the stack pointer and the program counter are when it returns
  UWord arguments[4];
  ExeContext* callers;
} Call;

static XArray* calls;     // Call, by the number of the thread
static UInt whose;        // the thread that runs
static ULong is_pending;  // it is in a call; read by instrumented code at every return

static Call* call_of(UInt number) {
  if (!calls) calls = VG_(newXA)(VG_(malloc), "gable.calls", VG_(free), sizeof(Call));
  const Call none = {0};
  while (VG_(sizeXA)(calls) <= (Word)number) VG_(addToXA)(calls, &none);
  return VG_(indexXA)(calls, number);
}

void allocations_switch(UInt number) {
  whose = number;
  is_pending = call_of(number)->allocator != NULL;
}

Bool allocations_is_inside(void) {
  return is_pending;
}

void allocations_forget(void) {
  if (calls) VG_(deleteXA)(calls);
  calls = NULL;
  allocations_switch(0);
}

static SizeT bytes_of(const Call* call) {
  const Allocator* const of = call->allocator;
  if (of->size == NO_ARGUMENT) return 0;
  return call->arguments[of->size] * (of->factor == NO_ARGUMENT ? 1 : call->arguments[of->factor]);
}

static VG_REGPARM(2) void begin_call(GuestState* guest, const Allocator* allocator) {
  Call* const call = call_of(whose);
  if (call->allocator) return;  // an allocator that calls another
  call->allocator = allocator;
  guest_call(guest, &call->stack, &call->target, call->arguments);
  is_pending = True;
  if (allocator->size != NO_ARGUMENT) call->callers = callers_now(VG_(get_running_tid)());
  // The block is gone before the allocator gives it to another thread.
  if (allocator->size == NO_ARGUMENT) object_freed(call->arguments[allocator->old]);
}

static void finish(const Call* call, UWord returned) {
  const Allocator* const of = call->allocator;
  Addr block = returned;
  if (of->result != NO_ARGUMENT) block = returned == 0 ? *(Addr*)call->arguments[of->result] : 0;
  if (of->size == NO_ARGUMENT || !block) return;
  if (of->old != NO_ARGUMENT && call->arguments[of->old]) object_freed(call->arguments[of->old]);
  object_allocated(block, bytes_of(call), call->callers);
}

static VG_REGPARM(2) void end_call(GuestState* guest, Addr target) {
  Call* const call = call_of(whose);
  if (target != call->target || guest_stack(guest) != call->stack) return;
  is_pending = False;
  finish(call, guest_result(guest));
  call->allocator = NULL;
}

static const Allocator* allocator_named(const HChar* symbol) {
  // glibc's own name, and the prefixes of jemalloc and tcmalloc.
  static const HChar* const prefixes[] = {"", "__libc_", "je_", "tc_", "mi_"};
  for (UInt i = 0; i < sizeof allocators / sizeof allocators[0]; ++i) {
    for (UInt j = 0; j < sizeof prefixes / sizeof prefixes[0]; ++j) {
      if (symbol_is(symbol, prefixes[j], allocators[i].name)) return &allocators[i];
    }
  }
  return NULL;
}

void allocations_at_entry(IRSB* out, const HChar* symbol) {
  const Allocator* const allocator = allocator_named(symbol);
  if (!allocator) return;
  IRDirty* const call = call_with_guest("begin_call", begin_call, mkIRExpr_HWord((HWord)allocator));
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

void allocations_at_exit(IRSB* out) {
  if (out->jumpkind != Ijk_Ret) return;
  IRExpr* const pending = load_counter(out, &is_pending);
  IRDirty* const call = call_with_guest("end_call", end_call, out->next);
  call->guard = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpNE64, pending, mkIRExpr_HWord(0)));
  addStmtToIRSB(out, IRStmt_Dirty(call));
}
