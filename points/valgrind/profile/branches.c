#include "points/valgrind/profile/branches.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>

#include "points/valgrind/expressions.h"
#include "points/valgrind/profile/predictor.h"

typedef struct {
  Addr code;
  Function* function;
  PredictedBranch predicted;
} Branch;

static OSet* branches;  // Branch, by code

static Branch* branch_at(Addr code, Function* function) {
  if (!branches) {
    branches = VG_(OSetGen_Create)(offsetof(Branch, code), NULL, VG_(malloc), "gable.branches", VG_(free));
  }
  Branch* known = VG_(OSetGen_Lookup)(branches, &code);
  if (!known) {
    known = VG_(OSetGen_AllocNode)(branches, sizeof *known);
    *known = (Branch){.code = code, .predicted.name = (code ^ code >> 16) * 0x9e37};
    VG_(OSetGen_Insert)(branches, known);
  }
  known->function = function;
  return known;
}

static VG_REGPARM(2) void predict(Branch* branch, UWord leaves) {
  if (!predictor_mispredicts(&branch->predicted, leaves)) return;
  ++running->of[MISPREDICTED];
  if (branch->function) ++branch->function->tally.of[MISPREDICTED];
}

Bool branches_is(const IRSB* in, const IRStmt* exit, Addr code) {
  const Bool is_repeated = in->next->tag == Iex_Const && in->next->Iex.Const.con->Ico.U64 == code;
  return exit->Ist.Exit.jk == Ijk_Boring && !is_repeated;
}

void branches_emit(IRSB* out, Addr code, Function* function, IRExpr* condition) {
  IRExpr* const leaves = assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, condition));
  IRExpr** const arguments = mkIRExprVec_2(mkIRExpr_HWord((HWord)branch_at(code, function)), leaves);
  addStmtToIRSB(out,
                IRStmt_Dirty(unsafeIRDirty_0_N(2, "predict", VG_(fnptr_to_fnentry)(predict), arguments)));
}

void branches_forget(void) {
  if (branches) {
    VG_(OSetGen_ResetIter)(branches);
    for (Branch* branch; (branch = VG_(OSetGen_Next)(branches));) {
      branch->predicted = (PredictedBranch){.name = branch->predicted.name};
    }
  }
  predictor_forget();
}
