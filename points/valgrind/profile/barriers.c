#include "points/valgrind/profile/barriers.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "guest.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/places/symbols.h"
#include "points/valgrind/tally.h"

static const HChar* const barriers[] = {"GOMP_barrier", "GOMP_loop_end", "GOMP_sections_end",
                                        "__kmpc_barrier"};

static XArray* meetings;  // ULong, by thread

static VG_REGPARM(2) void meet(UWord threads, UWord times) {
  const ULong none = 0;
  if (threads == 1) return;
  if (!meetings) meetings = VG_(newXA)(VG_(malloc), "gable.meetings", VG_(free), sizeof none);
  while (VG_(sizeXA)(meetings) <= (Word)running_number) VG_(addToXA)(meetings, &none);
  *(ULong*)VG_(indexXA)(meetings, running_number) += times;
}

// GOMP_parallel, GOMP_parallel_loop_static and so on: their third argument is how many threads the program
// asks for, 0 for as many as usual.
static Bool is_region_of_gcc(const HChar* symbol) {
  static const HChar name[] = "GOMP_parallel";
  return !VG_(strncmp)(symbol, name, sizeof name - 1) && !symbol_is(symbol, name, "_end");
}

static UInt meetings_in(const HChar* symbol) {
  if (is_region_of_gcc(symbol) || symbol_is(symbol, "", "__kmpc_fork_call")) return 2;
  for (UInt i = 0; i < sizeof barriers / sizeof barriers[0]; ++i) {
    if (symbol_is(symbol, "", barriers[i])) return 1;
  }
  return 0;
}

void barriers_at_entry(IRSB* out, Addr code) {
  const HChar* const symbol = symbol_at(code);
  const UInt times = symbol ? meetings_in(symbol) : 0;
  if (times == 0) return;
  IRExpr* threads = mkIRExpr_HWord(0);
  if (is_region_of_gcc(symbol)) {
    threads = assign(out, Ity_I64, IRExpr_Get(third_argument, Ity_I64));
    threads = assign(out, Ity_I64, IRExpr_Binop(Iop_And64, threads, mkIRExpr_HWord(0xffffffff)));
  }
  IRExpr** const arguments = mkIRExprVec_2(threads, mkIRExpr_HWord(times));
  addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(2, "meet", VG_(fnptr_to_fnentry)(meet), arguments)));
}

ULong barriers_count(void) {
  ULong most = 0;
  for (Word i = 0; meetings && i < VG_(sizeXA)(meetings); ++i) {
    const ULong count = *(ULong*)VG_(indexXA)(meetings, i);
    if (count > most) most = count;
  }
  return most;
}

void barriers_forget(void) {
  if (meetings) VG_(deleteXA)(meetings);
  meetings = NULL;
}
