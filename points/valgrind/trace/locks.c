#include "points/valgrind/trace/locks.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>

#include "guest.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/places/symbols.h"
#include "points/valgrind/trace/trace.h"

typedef struct {
  const HChar* name;  // as programs call it
  Bool asks;
  Addr lock;  // 0: the function's argument
} LockFunction;

// No lock lies at these addresses.
enum { UNNAMED_CRITICAL = 1, ATOMIC };

static const LockFunction functions[] = {
    {"pthread_mutex_lock", True, 0},
    {"pthread_mutex_unlock", False, 0},
    {"pthread_spin_lock", True, 0},
    {"pthread_spin_unlock", False, 0},
    {"omp_set_lock", True, 0},
    {"omp_unset_lock", False, 0},
    {"omp_set_nest_lock", True, 0},
    {"omp_unset_nest_lock", False, 0},
    {"GOMP_critical_name_start", True, 0},
    {"GOMP_critical_name_end", False, 0},
    {"GOMP_critical_start", True, UNNAMED_CRITICAL},
    {"GOMP_critical_end", False, UNNAMED_CRITICAL},
    {"GOMP_atomic_start", True, ATOMIC},
    {"GOMP_atomic_end", False, ATOMIC},
};

static const LockFunction* lock_function_at(Addr code) {
  const HChar* symbol = symbol_at(code);
  while (symbol && *symbol == '_') ++symbol;
  for (UInt i = 0; symbol && i < sizeof functions / sizeof functions[0]; ++i) {
    if (symbol_is(symbol, "", functions[i].name)) return &functions[i];
  }
  return NULL;
}

void locks_emit(IRSB* out, Addr code) {
  const LockFunction* const function = lock_function_at(code);
  if (!function) return;
  IRExpr* lock = mkIRExpr_HWord(function->lock);
  if (!function->lock) lock = assign(out, Ity_I64, IRExpr_Get(argument, Ity_I64));
  IRExpr** const arguments = mkIRExprVec_2(lock, mkIRExpr_HWord(function->asks));
  addStmtToIRSB(
      out, IRStmt_Dirty(unsafeIRDirty_0_N(2, "trace_lock", VG_(fnptr_to_fnentry)(trace_lock), arguments)));
}
