#include "points/valgrind/profile/barriers.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/calls.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/places/symbols.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/tally.h"

static const HChar* const barriers[] = {"GOMP_barrier", "GOMP_loop_end", "GOMP_sections_end",
                                        "__kmpc_barrier"};

// A region begins and ends with one. The third argument of GCC's functions is how many threads the program
// asks for, 0 for as many as usual; that of LLVM's is a function.
enum { in_region = 2, threads_of_region = 2 };

static XArray* meetings;  // ULong, by thread

// Parallel regions of the only thread.
static struct {
  Addr target;  // after the running one, which is in no other; 0: none is running
  ULong began, instructions;
} regions;

static VG_REGPARM(2) void meet(GuestState* guest, UWord times) {
  const ULong none = 0;
  Addr stack, target;
  UWord arguments[4];
  guest_call(guest, &stack, &target, arguments);
  if (times == in_region && !regions.target) {
    regions.target = target;
    regions.began = path_instructions();
  }
  // One thread alone, or as many as there are: of one, these look the same, and its work may be divided.
  if (times == in_region && (UInt)arguments[threads_of_region] == 1) return;
  if (!meetings) meetings = VG_(newXA)(VG_(malloc), "gable.meetings", VG_(free), sizeof none);
  while (VG_(sizeXA)(meetings) <= (Word)running_number) VG_(addToXA)(meetings, &none);
  *(ULong*)VG_(indexXA)(meetings, running_number) += times;
}

static void end_region(void) {
  regions.target = 0;
  regions.instructions += path_instructions() - regions.began;
}

// GCC: GOMP_parallel, GOMP_parallel_loop_static and so on.
static Bool is_region(const HChar* symbol) {
  static const HChar name[] = "GOMP_parallel";
  return symbol_is(symbol, "", "__kmpc_fork_call") ||
         (!VG_(strncmp)(symbol, name, sizeof name - 1) && !symbol_is(symbol, name, "_end"));
}

static UInt meetings_in(const HChar* symbol) {
  if (is_region(symbol)) return in_region;
  for (UInt i = 0; i < sizeof barriers / sizeof barriers[0]; ++i) {
    if (symbol_is(symbol, "", barriers[i])) return 1;
  }
  return 0;
}

void barriers_at_entry(IRSB* out, const HChar* symbol) {
  const UInt times = meetings_in(symbol);
  if (times > 0) addStmtToIRSB(out, IRStmt_Dirty(call_with_guest("meet", meet, mkIRExpr_HWord(times))));
}

void barriers_at_exit(IRSB* out) {
  if (out->jumpkind != Ijk_Ret) return;
  IRExpr* const target = load_counter(out, (const ULong*)&regions.target);
  IRDirty* const call =
      unsafeIRDirty_0_N(0, "end_region", VG_(fnptr_to_fnentry)(end_region), mkIRExprVec_0());
  call->guard = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, target, out->next));
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

ULong barriers_count(void) {
  ULong most = 0;
  for (Word i = 0; meetings && i < VG_(sizeXA)(meetings); ++i) {
    const ULong count = *(ULong*)VG_(indexXA)(meetings, i);
    if (count > most) most = count;
  }
  return most;
}

double barriers_serial_part(void) {
  if (!regions.instructions || tally_threads() > 1) return 0;
  return 1 - (double)regions.instructions / path_instructions();
}

void barriers_forget(void) {
  if (meetings) VG_(deleteXA)(meetings);
  meetings = NULL;
  VG_(memset)(&regions, 0, sizeof regions);
}
