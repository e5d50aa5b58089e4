#include "points/valgrind/instrument.h"

#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>

#include "guest.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/fma.h"
#include "points/valgrind/instruction.h"
#include "points/valgrind/optimize.h"
#include "points/valgrind/places/code.h"
#include "points/valgrind/places/loops.h"
#include "points/valgrind/profile/branches.h"
#include "points/valgrind/profile/emit.h"
#include "points/valgrind/profile/profile.h"
#include "points/valgrind/segment.h"
#include "points/valgrind/tally.h"
#include "points/valgrind/trace/locks.h"
#include "points/valgrind/trace/trace.h"

Bool per_function;

static UChar unknown_code[16];
static UInt unknown_bytes;

const UChar* undecodable(UInt* bytes) {
  *bytes = unknown_bytes;
  return unknown_code;
}

typedef struct {
  UInt counter;  // LOAD_BYTES or STORE_BYTES
  UInt bytes;
  IRExpr* address;
  IRExpr* guard;  // condition (I1) of the access; NULL: always
} Access;

// Instructions of the block that neither an access nor `trace_instructions` has counted yet.
static UInt uncounted;

static void emit_instructions(IRSB* out) {
  if (!trace.path || !uncounted) return;
  increment(out, &trace_instructions, mkIRExpr_HWord(uncounted));
  uncounted = 0;
}

static void emit_trace(IRSB* out, const Access* access) {
  if (access->guard) emit_instructions(out);
  const UWord what = 2 * access->bytes + (access->counter == STORE_BYTES) + ((UWord)uncounted << 32);
  uncounted = 0;
  IRExpr** const arguments = mkIRExprVec_3(IRExpr_GSPTR(), access->address, mkIRExpr_HWord(what));
  IRDirty* const call = unsafeIRDirty_0_N(3, "trace_access", VG_(fnptr_to_fnentry)(trace_access), arguments);
  call->nFxState = 1;  // the event counter
  VG_(memset)(&call->fxState, 0, sizeof call->fxState);
  call->fxState[0].fx = Ifx_Modify;
  call->fxState[0].offset = offsetof(GuestState, host_EvC_COUNTER);
  call->fxState[0].size = sizeof(UInt);
  if (access->guard) call->guard = access->guard;
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

static void take_access(Segment* segment, Instruction* instruction, Access access) {
  if (instruction->no_memory || (instruction->no_load && access.counter == LOAD_BYTES)) return;
  if (trace.path) emit_trace(segment->out, &access);
  if (profile.is_on) {
    const Bool is_store = access.counter == STORE_BYTES;
    const SiteKind kind = !is_store ? LOADS : instruction->is_streaming ? STREAMS : STORES;
    profile_emit_access(segment->out, instruction->address, segment_run(segment), access.address,
                        access.bytes, kind, access.guard);
    instruction->loads += !is_store;
    instruction->counts[STORE_COUNT] += is_store;
  }
  if (access.guard) {
    segment_add_guarded(segment, access.counter, access.bytes, access.guard);
  } else {
    instruction->counts[access.counter] += access.bytes;
  }
}

// The condition under which a lane of a gather loads: its address comes from the preceding choice
// (ITE).
static IRExpr* lane_is_active(const Segment* segment, const Instruction* instruction, const IRExpr* address) {
  if (!instruction->is_gather || address->tag != Iex_RdTmp) return NULL;
  for (Int i = segment->out->stmts_used - 1; i >= 0; --i) {
    const IRStmt* const before = segment->out->stmts[i];
    if (before->tag != Ist_WrTmp || before->Ist.WrTmp.tmp != address->Iex.RdTmp.tmp) continue;
    const IRExpr* const choice = before->Ist.WrTmp.data;
    return choice->tag == Iex_ITE ? choice->Iex.ITE.cond : NULL;
  }
  return NULL;
}

static void take_load(Segment* segment, Instruction* instruction, const IRExpr* load) {
  IRExpr* const address = load->Iex.Load.addr;
  IRExpr* const guard = lane_is_active(segment, instruction, address);
  take_access(segment, instruction, (Access){LOAD_BYTES, sizeofIRType(load->Iex.Load.ty), address, guard});
}

static void take_data(Segment* segment, Instruction* instruction, const IRExpr* data) {
  switch (data->tag) {
    case Iex_Load:
      take_load(segment, instruction, data);
      break;
    case Iex_Unop:
      instruction_operation(instruction, data->Iex.Unop.op);
      break;
    case Iex_Binop:
      instruction_operation(instruction, data->Iex.Binop.op);
      break;
    case Iex_Triop:
      instruction_operation(instruction, data->Iex.Triop.details->op);
      break;
    case Iex_Qop:
      instruction_operation(instruction, data->Iex.Qop.details->op);
      break;
    default:
      break;
  }
}

static UInt bytes_of(const Segment* segment, const IRExpr* data) {
  return sizeofIRType(typeOfIRExpr(segment->out->tyenv, data));
}

static void take_guarded_load(Segment* segment, Instruction* instruction, const IRLoadG* load) {
  IRType result, loaded;
  typeOfIRLoadGOp(load->cvt, &result, &loaded);
  take_access(segment, instruction, (Access){LOAD_BYTES, sizeofIRType(loaded), load->addr, load->guard});
}

// A compare-and-swap loads and stores even if it fails (Intel SDM volume 2, CMPXCHG). VEX translates `lock
// add` and similar to a load and a compare-and-swap with the loaded value: one load, one store.
static void take_compare_and_swap(Segment* segment, Instruction* instruction, const IRCAS* cas) {
  const UInt bytes = bytes_of(segment, cas->dataLo) * (cas->dataHi ? 2 : 1);
  if (!instruction->counts[LOAD_BYTES]) {
    take_access(segment, instruction, (Access){LOAD_BYTES, bytes, cas->addr, NULL});
  }
  take_access(segment, instruction, (Access){STORE_BYTES, bytes, cas->addr, NULL});
}

// Instructions that VEX implements by a function call (fldt, fxsave, ...) declare the memory they touch.
static void take_dirty(Segment* segment, Instruction* instruction, const IRDirty* dirty) {
  const Bool is_always = dirty->guard->tag == Iex_Const && dirty->guard->Iex.Const.con->Ico.U1;
  IRExpr* const guard = is_always ? NULL : dirty->guard;
  if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify) {
    take_access(segment, instruction, (Access){LOAD_BYTES, dirty->mSize, dirty->mAddr, guard});
  }
  if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify) {
    take_access(segment, instruction, (Access){STORE_BYTES, dirty->mSize, dirty->mAddr, guard});
  }
}

// A store-conditional counts even if it fails.
static void take_linked(Segment* segment, Instruction* instruction, const IRStmt* statement) {
  IRExpr* const stored = statement->Ist.LLSC.storedata;
  const IRType type = stored ? typeOfIRExpr(segment->out->tyenv, stored)
                             : typeOfIRTemp(segment->out->tyenv, statement->Ist.LLSC.result);
  const UInt counter = stored ? STORE_BYTES : LOAD_BYTES;
  take_access(segment, instruction, (Access){counter, sizeofIRType(type), statement->Ist.LLSC.addr, NULL});
}

static void take(Segment* segment, Instruction* instruction, const IRStmt* statement) {
  switch (statement->tag) {
    case Ist_Put:
      if (profile.is_on) instruction_put(instruction, segment->out, statement);
      break;
    case Ist_WrTmp:
      take_data(segment, instruction, statement->Ist.WrTmp.data);
      break;
    case Ist_Store: {
      const UInt bytes = bytes_of(segment, statement->Ist.Store.data);
      take_access(segment, instruction, (Access){STORE_BYTES, bytes, statement->Ist.Store.addr, NULL});
      break;
    }
    case Ist_StoreG: {
      const IRStoreG* const store = statement->Ist.StoreG.details;
      const UInt bytes = bytes_of(segment, store->data);
      take_access(segment, instruction, (Access){STORE_BYTES, bytes, store->addr, store->guard});
      break;
    }
    case Ist_LoadG:
      take_guarded_load(segment, instruction, statement->Ist.LoadG.details);
      break;
    case Ist_CAS:
      take_compare_and_swap(segment, instruction, statement->Ist.CAS.details);
      break;
    case Ist_Dirty:
      take_dirty(segment, instruction, statement->Ist.Dirty.details);
      break;
    case Ist_LLSC:
      take_linked(segment, instruction, statement);
      break;
    default:
      break;
  }
}

static void finish_instruction(Segment* segment, Instruction* instruction) {
  instruction_end(instruction);
  if (instruction->is_repetition) instruction->counts[INSTRUCTIONS] = instruction->counts[INTEGER] = 0;
  for (UInt i = 0; i < COUNTERS; ++i) segment->counts[i] += instruction->counts[i];
  VG_(memset)(instruction->counts, 0, sizeof instruction->counts);
}

static Addr last_instruction(const IRSB* in) {
  Int i = in->stmts_used - 1;
  while (i >= 0 && in->stmts[i]->tag != Ist_IMark) --i;
  return i < 0 ? 0 : in->stmts[i]->Ist.IMark.addr + in->stmts[i]->Ist.IMark.delta;
}

// VEX translates a string instruction element by element: into a block that jumps to itself, after the first
// one. For a core it is one instruction.
static Bool is_repetition(const IRSB* in, const VexGuestExtents* extents, const Instruction* instruction) {
  const Addr begin = extents->base[0];
  return instruction->is_string && instruction->address == begin && in->next->tag == Iex_Const &&
         in->next->Iex.Const.con->Ico.U64 == begin;
}

static void enter_function(Segment* segment, Addr address, UInt bytes, Addr last) {
  if (!per_function) return;
  Function* const function = loop_at(code_at(address, bytes, last), address);
  if (function != segment->function) segment_finish(segment);
  segment->function = function;
  segment->instruction = address;
  if (!segment->begin) segment->begin = address;
  segment->end = address + bytes;
}

// Control may leave here. A fault on a misaligned access (Ijk_SigSEGV) need not end the segment.
static Bool may_leave(const IRStmt* statement) {
  return statement->tag == Ist_Exit && statement->Ist.Exit.jk != Ijk_SigSEGV;
}

static void met_undecodable(HWord at) {
  const UChar* const code = (const UChar*)(Addr)at;
  // The instruction may be the last of its page, so this reads only the five bytes needed for an EVEX prefix
  // and opcode.
  const UInt to_end = 4096 - (at & 4095);
  unknown_bytes = to_end < 5 ? to_end : 5;
  VG_(memcpy)(unknown_code, code, unknown_bytes);
}

// Remembers an instruction that Valgrind cannot decode where the program executes it: compilers also end code
// that is never reached with one.
static void emit_undecodable(IRSB* out) {
  if (out->jumpkind != Ijk_NoDecode || out->next->tag != Iex_Const) return;
  IRDirty* const call = unsafeIRDirty_0_N(1, "met_undecodable", VG_(fnptr_to_fnentry)(met_undecodable),
                                          mkIRExprVec_1(deepCopyIRExpr(out->next)));
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* arch, IRType guest_word,
                 IRType host_word) {
  (void)closure, (void)layout, (void)arch;
  tl_assert(guest_word == Ity_I64 && host_word == Ity_I64);
  Segment segment = segment_begin(deepCopyIRSBExceptStmts(in));
  Instruction instruction;
  const Addr last = last_instruction(in);
  Int i = 0;
  // Code before the first instruction belongs to the translator.
  for (; i < in->stmts_used && in->stmts[i]->tag != Ist_IMark; ++i) addStmtToIRSB(segment.out, in->stmts[i]);
  instruction_begin(&instruction, 0, 0);
  fma_begin(0, 0);
  uncounted = 0;
  if (profile.is_on) loops_find(in);
  if (i < in->stmts_used && trace.path) locks_emit(segment.out, in->stmts[i]->Ist.IMark.addr);
  if (i < in->stmts_used && profile.is_on) profile_emit_begin(segment.out, in, in->stmts[i]->Ist.IMark.addr);
  for (; i < in->stmts_used; ++i) {
    const IRStmt* const statement = in->stmts[i];
    if (statement->tag == Ist_IMark) {
      fma_end(segment.out);
      const Addr address = statement->Ist.IMark.addr + statement->Ist.IMark.delta;
      finish_instruction(&segment, &instruction);
      enter_function(&segment, address, statement->Ist.IMark.len, last);
      const Bool is_back = address < instruction.address;
      instruction_begin(&instruction, address, statement->Ist.IMark.len);
      instruction.is_repetition = is_repetition(in, extents, &instruction);
      instruction.counts[INSTRUCTIONS] = profile.is_on;
      instruction.counts[ITERATIONS] = profile.is_on && is_back;
      if (profile.is_on) profile_emit_instruction(&instruction);
      fma_begin(address, statement->Ist.IMark.len);
      ++uncounted;
    } else if (may_leave(statement)) {
      const Bool is_predicted = profile.is_on && branches_is(in, statement, instruction.address);
      if (is_predicted) ++instruction.counts[BRANCHES];
      emit_instructions(segment.out);
      finish_instruction(&segment, &instruction);
      segment_finish(&segment);
      if (profile.is_on) profile_emit_leave(segment.out, segment.finished, statement->Ist.Exit.guard);
      if (is_predicted) branches_emit(segment.out, instruction.address, segment.finished, statement);
    } else {
      take(&segment, &instruction, statement);
    }
    if (profile.is_on) profile_emit_follow(statement);
    if (!fma_replaces(statement)) addStmtToIRSB(segment.out, in->stmts[i]);
  }
  fma_end(segment.out);
  const Bool is_predicted = profile.is_on && branches_is_indirect(in);
  if (is_predicted) ++instruction.counts[BRANCHES];
  if (profile.is_on && !instruction.is_string && branches_is_back(in, instruction.address))
    ++instruction.counts[ITERATIONS];
  finish_instruction(&segment, &instruction);
  emit_instructions(segment.out);
  segment_finish(&segment);
  if (profile.is_on) profile_emit_end(segment.out, segment.finished, in->next);
  if (is_predicted) branches_emit_indirect(segment.out, instruction.address, segment.finished, in->next);
  emit_undecodable(segment.out);
  return optimized(segment.out);
}
