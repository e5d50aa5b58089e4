#include "points/valgrind/profile/emit.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>

#include "points/valgrind/expressions.h"
#include "points/valgrind/places/symbols.h"
#include "points/valgrind/profile/barriers.h"
#include "points/valgrind/profile/chains.h"
#include "points/valgrind/profile/objects/allocations.h"
#include "points/valgrind/profile/path/emit.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/profile/reuse/sampling.h"
#include "points/valgrind/profile/values.h"

static const Site* accessed;  // by the current statement; NULL: none
static Bool is_repetition;    // of the current instruction
static const Run* probed;     // the run of the latest access; NULL: none in this block yet
static struct {
  IRExpr* probe;  // I64: negative in those executions of the run that are always seen
  IRExpr *lines, *pages, *classes;
} now;  // `limits` in the run

// Accesses of the run, and whether they must be seen.
enum { most_decided = 8 };
static struct {
  UInt address;  // its value; 0: none
  IRExpr* wanted;
} decided[most_decided];
static UInt next_decided;

static IRExpr* binary(IRSB* out, IROp operation, IRExpr* a, IRExpr* b) {
  return assign(out, Ity_I64, IRExpr_Binop(operation, a, b));
}

static void begin_run(IRSB* out, const Run* run) {
  if (run == probed) return;
  probed = run;
  VG_(memset)(decided, 0, sizeof decided);
  IRExpr* const low =
      binary(out, Iop_And64, load_counter(out, &run->executed), mkIRExpr_HWord(probe_every - 1));
  now.probe = binary(out, Iop_Sub64, low, mkIRExpr_HWord(1));
  now.lines = load_counter(out, &limits.lines);
  now.pages = load_counter(out, &limits.pages);
  now.classes = load_counter(out, &limits.classes);
}

void profile_emit_begin(IRSB* out, const IRSB* in, Addr code) {
  probed = NULL;
  accessed = NULL;
  chains_begin(in);
  path_begin(in);
  values_begin(in);
  const HChar* const symbol = symbol_at(code);
  if (!symbol) return;
  allocations_at_entry(out, symbol);
  barriers_at_entry(out, symbol);
}

void profile_emit_instruction(const Instruction* instruction) {
  is_repetition = instruction->is_repetition;
  path_instruction(instruction->is_fused);
}

void profile_emit_follow(const IRStmt* statement) {
  chains_follow(statement);
  if (!is_repetition) path_take(statement, accessed);
  values_follow(statement);
  accessed = NULL;
}

static IRExpr* shifted(IRSB* out, IRExpr* address, UInt by) {
  return binary(out, Iop_Shr64, address, IRExpr_Const(IRConst_U8(by)));
}

// Computes a negative number if the line or page is followed.
static IRExpr* is_followed(IRSB* out, IRExpr* number, IRExpr* limit) {
  IRExpr* const product = binary(out, Iop_Mul64, number, mkIRExpr_HWord(HASH_FACTOR));
  return binary(out, Iop_Sub64, shifted(out, product, 1), limit);
}

// Computes a negative number if the class of the line is followed. Shifts of x86-64 and AArch64 are modulo
// 64, which is the number of classes.
static IRExpr* is_class_followed(IRSB* out, IRExpr* line) {
  IRExpr* const class = assign(out, Ity_I8, IRExpr_Unop(Iop_64to8, line));
  return binary(out, Iop_Shl64, now.classes, class);
}

static IRExpr* decide(IRSB* out, IRExpr* address) {
  IRExpr* const number = shifted(out, address, line_shift);
  IRExpr* const line = is_followed(out, number, now.lines);
  IRExpr* const class = is_class_followed(out, number);
  IRExpr* const page = is_followed(out, shifted(out, address, page_shift), now.pages);
  return binary(out, Iop_Or64, binary(out, Iop_Or64, line, page), binary(out, Iop_Or64, class, now.probe));
}

// Computes a negative number if profile_access must see the access.
static IRExpr* is_wanted(IRSB* out, IRExpr* address) {
  const UInt value = value_of(address);
  for (UInt i = 0; value && i < most_decided; ++i) {
    if (decided[i].address == value) return decided[i].wanted;
  }
  IRExpr* const wanted = decide(out, address);
  decided[next_decided].address = value;
  decided[next_decided].wanted = wanted;
  next_decided = (next_decided + 1) % most_decided;
  return wanted;
}

static void emit_call(IRSB* out, Site* site, IRExpr* address, IRExpr* wanted) {
  IRDirty* const call =
      unsafeIRDirty_0_N(3, "profile_access", VG_(fnptr_to_fnentry)(profile_access),
                        mkIRExprVec_3(IRExpr_GSPTR(), mkIRExpr_HWord((HWord)site), address));
  call->guard = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLT64S, wanted, mkIRExpr_HWord(0)));
  // The call may change the event counter, which only code that the translator adds reads. VEX need not know,
  // and may keep registers in temporaries.
  call->nFxState = 1;
  VG_(memset)(&call->fxState, 0, sizeof call->fxState);
  call->fxState[0].fx = Ifx_Read;
  call->fxState[0].offset = offsetof(GuestState, host_EvC_COUNTER);
  call->fxState[0].size = sizeof(UInt);
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

void profile_emit_access(IRSB* out, Addr code, Run* run, IRExpr* address, UInt bytes, SiteKind kind,
                         IRExpr* guard) {
  begin_run(out, run);
  Site* const site = profile_site(code, run);
  site->bytes = bytes;
  site->kind = kind;
  site->is_guarded = guard != NULL;
  site->origin = chains_origin(address);
  accessed = site;
  IRExpr* wanted = is_wanted(out, address);
  if (guard) {
    increment(out, &site->guarded, assign(out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard)));
    wanted = binary(out, Iop_And64, wanted, assign(out, Ity_I64, IRExpr_Unop(Iop_1Sto64, guard)));
  }
  emit_call(out, site, address, wanted);
  if (!guard) addStmtToIRSB(out, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)&site->last), address));
}

void profile_emit_leave(IRSB* out, const Run* run, const IRExpr* condition) {
  path_emit(out, run, condition);  // its call needs what the registers waited for when the piece began
  chains_emit(out);
}

void profile_emit_end(IRSB* out, const Run* run, const IRExpr* target) {
  profile_emit_leave(out, run, target);
  allocations_at_exit(out);
  barriers_at_exit(out);
}
