#include "points/valgrind/profile/branches.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>

#include "points/valgrind/expressions.h"
#include "points/valgrind/places/loops.h"
#include "points/valgrind/places/runs.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/predictor.h"

typedef struct {
  Addr code;
  const Run* run;
  PredictedBranch predicted;
  PredictedJump jump;  // of an indirect one instead
} Branch;

static OSet* branches;  // Branch, by code

static Branch* branch_at(Addr code, const Run* run) {
  if (!branches) {
    branches = VG_(OSetGen_Create)(offsetof(Branch, code), NULL, VG_(malloc), "gable.branches", VG_(free));
  }
  Branch* known = VG_(OSetGen_Lookup)(branches, &code);
  if (!known) {
    known = VG_(OSetGen_AllocNode)(branches, sizeof *known);
    const UShort name = (code ^ code >> 16) * 0x9e37;
    *known = (Branch){.code = code, .predicted.name = name, .jump.name = name};
    VG_(OSetGen_Insert)(branches, known);
  }
  known->run = run;
  return known;
}

static void count(const Branch* branch, UInt counter) {
  ++running->of[counter];
  if (branch->run) ++branch->run->function->tally.of[counter];
}

static VG_REGPARM(2) void predict(Branch* branch, UWord leaves) {
  if (!predictor_mispredicts(&branch->predicted, leaves)) return;
  count(branch, MISPREDICTED);
  if (branch->run) path_mispredicted(branch->run->function);
}

static VG_REGPARM(2) void predict_back(Branch* branch, UWord leaves) {
  if (leaves) count(branch, ITERATIONS);
  predict(branch, leaves);
}

// A core begins anew where the jump leads to, and there the time until then is sampled.
static VG_REGPARM(2) void predict_jump(Branch* branch, Addr target) {
  if (!predictor_mispredicts_jump(&branch->jump, target)) return;
  count(branch, MISPREDICTED);
  count(branch, MISPREDICTED_JUMPS);
  ++running->of[MISPREDICTED_ENTRIES];
  if (!branch->run) return;
  Function* const entered = loop_at(function_at(target), target);
  ++entered->tally.of[MISPREDICTED_ENTRIES];
  path_mispredicted(entered);
}

Bool branches_is(const IRSB* in, const IRStmt* exit, Addr code) {
  const Bool is_repeated = in->next->tag == Iex_Const && in->next->Iex.Const.con->Ico.U64 == code;
  return exit->Ist.Exit.jk == Ijk_Boring && !is_repeated;
}

Bool branches_is_indirect(const IRSB* in) {
  return in->next->tag != Iex_Const && (in->jumpkind == Ijk_Boring || in->jumpkind == Ijk_Call);
}

static void emit_call(IRSB* out, const HChar* name, void* called, Branch* branch, IRExpr* argument) {
  IRExpr** const arguments = mkIRExprVec_2(mkIRExpr_HWord((HWord)branch), argument);
  addStmtToIRSB(out, IRStmt_Dirty(unsafeIRDirty_0_N(2, name, VG_(fnptr_to_fnentry)(called), arguments)));
}

static Bool is_before(const IRConst* target, Addr code) {
  return target->Ico.U64 <= code;
}

void branches_emit(IRSB* out, Addr code, const Run* run, const IRStmt* exit) {
  IRExpr* const leaves = assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, exit->Ist.Exit.guard));
  Branch* const branch = branch_at(code, run);
  if (is_before(exit->Ist.Exit.dst, code)) {
    emit_call(out, "predict_back", predict_back, branch, leaves);
  } else {
    emit_call(out, "predict", predict, branch, leaves);
  }
}

Bool branches_is_back(const IRSB* in, Addr code) {
  return in->jumpkind == Ijk_Boring && in->next->tag == Iex_Const && is_before(in->next->Iex.Const.con, code);
}

void branches_emit_indirect(IRSB* out, Addr code, const Run* run, IRExpr* target) {
  emit_call(out, "predict_jump", predict_jump, branch_at(code, run), target);
}

void branches_forget(void) {
  if (branches) {
    VG_(OSetGen_ResetIter)(branches);
    for (Branch* branch; (branch = VG_(OSetGen_Next)(branches));) {
      branch->predicted = (PredictedBranch){.name = branch->predicted.name};
      branch->jump.target = 0;
    }
  }
  predictor_forget();
}
