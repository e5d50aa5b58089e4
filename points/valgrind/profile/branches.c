#include "points/valgrind/profile/branches.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_oset.h>

#include "points/valgrind/expressions.h"

enum { history_bits = 16, patterns = 1 << history_bits, most_hits = 255 };
typedef enum { BY_COUNTER, BY_OWN_HISTORY, BY_HISTORY_OF_ALL, WAYS } Way;

// What a branch has learned. `all` compares it at once.
typedef union {
  struct {
    UShort hits[WAYS];  // how often each way was right lately
    UShort counter;     // 0 and 1: it does not leave; 2 and 3: it does
  };
  ULong all;
} Learned;

typedef struct {
  Addr code;
  Function* function;
  UShort name;     // for the tables
  UShort history;  // its latest outcomes
  Learned learned;
} Branch;

static OSet* branches;                                               // Branch, by code
static UChar by_own_history[patterns], by_history_of_all[patterns];  // counters
static UShort history_of_all;

static Branch* branch_at(Addr code, Function* function) {
  if (!branches) {
    branches = VG_(OSetGen_Create)(offsetof(Branch, code), NULL, VG_(malloc), "gable.branches", VG_(free));
  }
  Branch* known = VG_(OSetGen_Lookup)(branches, &code);
  if (!known) {
    known = VG_(OSetGen_AllocNode)(branches, sizeof *known);
    *known = (Branch){.code = code, .name = (code ^ code >> history_bits) * 0x9e37};
    VG_(OSetGen_Insert)(branches, known);
  }
  known->function = function;
  return known;
}

// What a counter is after an outcome.
static const UChar learned_counter[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};

// The sixteenth part of the past is forgotten at every outcome.
static UShort judged(UShort hits, Bool is_right) {
  return hits - hits / 16 + (is_right ? most_hits / 16 : 0);
}

static void learn(Learned* learned, UChar* own, UChar* all, UWord leaves) {
  const Bool was_right[WAYS] = {(learned->counter >= 2) == leaves, (*own >= 2) == leaves,
                                (*all >= 2) == leaves};
  for (Way way = 0; way < WAYS; ++way) learned->hits[way] = judged(learned->hits[way], was_right[way]);
  learned->counter = learned_counter[leaves][learned->counter];
  *own = learned_counter[leaves][*own];
  *all = learned_counter[leaves][*all];
}

static Bool is_mispredicted(const Learned* learned, UChar own, UChar all, UWord leaves) {
  const UChar counters[WAYS] = {learned->counter, own, all};
  Way best = BY_COUNTER;
  for (Way way = BY_OWN_HISTORY; way < WAYS; ++way) {
    if (learned->hits[way] > learned->hits[best]) best = way;
  }
  return (counters[best] >= 2) != leaves;
}

// Whether all ways are sure of the outcome and were right for long, so there is nothing to learn.
static Bool is_sure(const Learned* learned, UChar own, UChar all, UWord leaves) {
  enum { always = 16 * (most_hits / 16) };  // this is `judged` of itself
  static const Learned sure[2] = {{{{always, always, always}, 0}}, {{{always, always, always}, 3}}};
  return learned->all == sure[leaves].all && own == sure[leaves].counter && all == own;
}

static VG_REGPARM(2) void predict(Branch* branch, UWord leaves) {
  UChar* const own = &by_own_history[branch->history ^ branch->name];
  UChar* const all = &by_history_of_all[history_of_all ^ branch->name];
  branch->history = 2 * branch->history + leaves;
  history_of_all = 2 * history_of_all + leaves;
  if (is_sure(&branch->learned, *own, *all, leaves)) return;
  if (is_mispredicted(&branch->learned, *own, *all, leaves)) {
    ++running->of[MISPREDICTED];
    if (branch->function) ++branch->function->tally.of[MISPREDICTED];
  }
  learn(&branch->learned, own, all, leaves);
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
      branch->history = 0;
      branch->learned.all = 0;
    }
  }
  VG_(memset)(by_own_history, 0, sizeof by_own_history);
  VG_(memset)(by_history_of_all, 0, sizeof by_history_of_all);
  history_of_all = 0;
}
