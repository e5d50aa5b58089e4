#include "points/valgrind/profile/path/emit.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>

#include "guest.h"
#include "points/valgrind/expressions.h"
#include "points/valgrind/profile/path/critical_path.h"
#include "points/valgrind/profile/path/operations.h"
#include "points/valgrind/profile/path/piece.h"
#include "points/valgrind/registers.h"

// Where a value is. `is_computed`: by operations of the current instruction that take no step of their own,
// so that a cycle is added where the instruction ends.
typedef struct {
  UShort slot;
  Bool is_computed;
} Value;

static const IRTypeEnv* types;
static Value* value_of_temporary;
static UInt temporaries;
static Value in_register[register_slots];  // now
static Bool is_changed[register_slots];

// The instruction that changed a register last, and what the register was before: VEX computes some vectors
// lane by lane, and the lanes do not wait for each other.
static UInt changed_by[register_slots];
static Value before[register_slots];

static UInt instruction;  // the current one
static Bool is_fused;     // the current instruction is a multiply-add that VEX multiplies and adds
static Bool is_timed;     // it has a step with a latency of its own

static const Value known = {known_slot, False};

static void begin_piece(void) {
  for (UInt i = 0; i < register_slots; ++i) {
    in_register[i] = (Value){1 + i, False};
    is_changed[i] = False;
    changed_by[i] = ~0u;
  }
  for (UInt i = 0; i < temporaries; ++i) value_of_temporary[i] = known;
  instruction = 0;
  piece_begin();
}

void path_begin(const IRSB* in) {
  types = in->tyenv;
  if (temporaries < (UInt)types->types_used) {
    temporaries = 2 * types->types_used;
    value_of_temporary =
        VG_(realloc)("gable.path", value_of_temporary, temporaries * sizeof *value_of_temporary);
  }
  begin_piece();
}

void path_instruction(Bool fused) {
  ++instruction;
  piece_next_instruction();
  is_fused = fused;
  is_timed = False;
}

static Value value_of(const IRExpr* of) {
  return of->tag == Iex_RdTmp ? value_of_temporary[of->Iex.RdTmp.tmp] : known;
}

// A value that waits for both.
static Value both(Value a, Value b, Bool is_computed) {
  is_computed = is_computed || a.is_computed || b.is_computed;
  if (a.slot == b.slot || b.slot == known_slot) return (Value){a.slot, is_computed};
  if (a.slot == known_slot) return (Value){b.slot, is_computed};
  return (Value){piece_add(a.slot, b.slot, NO_OPERATION), is_computed};
}

static Value timed(Value of, Latency latency) {
  is_timed = True;
  return (Value){piece_add(of.slot, known_slot, latency), False};
}

// The result of an instruction. If it was computed without a latency of its own, that takes a cycle. Later
// instructions may use the same temporary.
static Value result_of(const IRExpr* of) {
  Value value = value_of(of);
  if (value.is_computed && !is_timed) value.slot = piece_add(value.slot, known_slot, INTEGER_OPERATION);
  value.is_computed = False;
  if (of->tag == Iex_RdTmp) value_of_temporary[of->Iex.RdTmp.tmp] = value;
  return value;
}

// The register that begins there or contains it, as a slot without the first one. A vector is one register.
static UInt register_at(Int offset) {
  if (is_vector(offset)) offset = first_vector + (offset - first_vector) / vector_bytes * vector_bytes;
  return offset / 8;
}

static Bool is_upper_part(Int offset) {
  return is_vector(offset) && (offset - first_vector) % vector_bytes;
}

static Value get(Int offset) {
  const UInt at = register_at(offset);
  return is_vector(offset) && changed_by[at] == instruction ? before[at] : in_register[at];
}

static Bool is_flags(Int offset) {
  return offset >= flags && offset < flags + 32;
}

static void put(Int offset, const IRExpr* data) {
  const UInt at = register_at(offset);
  if (changed_by[at] != instruction) before[at] = in_register[at];
  changed_by[at] = instruction;
  if (is_upper_part(offset)) {
    if (data->tag == Iex_Const) return;
    in_register[at] = both(in_register[at], result_of(data), False);
  } else {
    const Bool is_free = is_flags(offset) || offset == stack_pointer;
    in_register[at] = is_free ? (Value){value_of(data).slot, False} : result_of(data);
  }
  is_changed[at] = True;
}

// Cores add constants to registers beforehand.
static Bool is_increment(IROp operation, Value by) {
  const Bool is_sum =
      operation == Iop_Add64 || operation == Iop_Sub64 || operation == Iop_Add32 || operation == Iop_Sub32;
  return is_sum && by.slot == known_slot;
}

// A register is cleared by itself, of which nothing waits for its value.
static Bool is_cleared(IROp operation, Value a, Value b) {
  switch (operation) {
    case Iop_Xor32:
    case Iop_Xor64:
    case Iop_XorV128:
    case Iop_XorV256:
    case Iop_Sub32:
    case Iop_Sub64:
    case Iop_CmpEQ8x16:
    case Iop_CmpEQ16x8:
    case Iop_CmpEQ32x4:
    case Iop_CmpEQ32x8:
      return a.slot == b.slot;
    default:
      return False;
  }
}

// A core has one divider of integers. It takes turns, and begins with the next division before the result of
// this one is known. While one waits for its inputs, it does others.
static Value after_divider(Value inputs, Latency latency) {
  const Value begin = both(inputs, in_register[divider], False);
  in_register[divider] = timed(in_register[divider], latency == INTEGER_DIV_32 ? DIVIDER_32 : DIVIDER_64);
  is_changed[divider] = True;
  return timed(begin, latency);
}

static Value with_latency(IROp operation, Value inputs) {
  Latency latency = latency_of(operation);
  if (latency == INTEGER_DIV_32 || latency == INTEGER_DIV_64) return after_divider(inputs, latency);
  if (is_fused && latency == FP_MUL) return (Value){inputs.slot, False};
  if (is_fused && latency == FP_ADD) latency = FP_FMA;
  return latency == NO_OPERATION ? inputs : timed(inputs, latency);
}

// VEX compares where a condition is used. In a core, the instruction before it has done so, and that took a
// cycle.
static Value compared(Value inputs) {
  const Bool is_known = inputs.slot == known_slot;
  return (Value){is_known ? known_slot : piece_add(inputs.slot, known_slot, INTEGER_OPERATION), False};
}

static Value of_arguments(IRExpr* const* arguments) {
  Value value = known;
  for (; *arguments; ++arguments) value = both(value, value_of(*arguments), True);
  return value;
}

// Of a guarded access, the address is not known.
static const Site* with_address(const Site* site) {
  return site && !site->is_guarded ? site : NULL;
}

static Value loaded(Value address, const Site* site) {
  return (Value){piece_load(address.slot, with_address(site)), False};
}

// Most calls compute flags.
static Value called(const IRExpr* data) {
  const Value arguments = of_arguments(data->Iex.CCall.args);
  for (UInt i = 0; i < sizeof multiplier_calls / sizeof *multiplier_calls; ++i) {
    const HChar* const begin = multiplier_calls[i];
    if (VG_(strncmp)(data->Iex.CCall.cee->name, begin, VG_(strlen)(begin)) == 0)
      return timed(arguments, INTEGER_MUL);
  }
  return compared(arguments);
}

static Value value_of_data(const IRExpr* data, const Site* site) {
  switch (data->tag) {
    case Iex_Get:
      return get(data->Iex.Get.offset);
    case Iex_RdTmp:
      return value_of(data);
    case Iex_Load:
      return loaded(value_of(data->Iex.Load.addr), site);
    case Iex_Unop: {
      const Value of = value_of(data->Iex.Unop.arg);
      if (is_of_condition(data->Iex.Unop.op)) return both(of, known, True);
      return with_latency(data->Iex.Unop.op, of);
    }
    case Iex_Binop: {
      const IROp operation = data->Iex.Binop.op;
      const Value a = value_of(data->Iex.Binop.arg1), b = value_of(data->Iex.Binop.arg2);
      if (is_cleared(operation, a, b)) return known;
      if (is_comparison(operation)) return compared(both(a, b, False));
      return with_latency(operation, both(a, b, !is_increment(operation, b)));
    }
    case Iex_Triop: {
      const IRTriop* const of = data->Iex.Triop.details;
      return with_latency(of->op, both(value_of(of->arg2), value_of(of->arg3), True));
    }
    case Iex_Qop: {
      const IRQop* const of = data->Iex.Qop.details;
      const Value factors = both(value_of(of->arg2), value_of(of->arg3), True);
      return with_latency(of->op, both(factors, value_of(of->arg4), True));
    }
    case Iex_ITE:
      return both(value_of(data->Iex.ITE.cond),
                  both(value_of(data->Iex.ITE.iftrue), value_of(data->Iex.ITE.iffalse), True), True);
    case Iex_CCall:
      return called(data);
    default:  // constants, and the registers of the x87
      return known;
  }
}

static void store(const IRExpr* data, const Site* site) {
  const Value value = result_of(data);
  if (with_address(site)) piece_store(value.slot, site);
}

// Atomic operations wait for each other: a core does one after all accesses before it.
static Value after_atomics(const IRExpr* address, const IRExpr* data) {
  const Value waited = both(value_of(address), value_of(data), False);
  const Value result = timed(both(waited, in_register[latest_atomic], False), ATOMIC);
  in_register[latest_atomic] = result;
  is_changed[latest_atomic] = True;
  return result;
}

void path_take(const IRStmt* statement, const Site* site) {
  switch (statement->tag) {
    case Ist_WrTmp:
      value_of_temporary[statement->Ist.WrTmp.tmp] = value_of_data(statement->Ist.WrTmp.data, site);
      break;
    case Ist_Put:
      put(statement->Ist.Put.offset, statement->Ist.Put.data);
      break;
    case Ist_Store:
      store(statement->Ist.Store.data, site);
      break;
    case Ist_LoadG: {
      const IRLoadG* const load = statement->Ist.LoadG.details;
      const Value waited = both(loaded(value_of(load->addr), NULL), value_of(load->guard), False);
      value_of_temporary[load->dst] = both(waited, value_of(load->alt), False);
      break;
    }
    case Ist_CAS: {
      const IRCAS* const cas = statement->Ist.CAS.details;
      value_of_temporary[cas->oldLo] = after_atomics(cas->addr, cas->dataLo);
      break;
    }
    case Ist_LLSC:
      value_of_temporary[statement->Ist.LLSC.result] =
          statement->Ist.LLSC.storedata
              ? after_atomics(statement->Ist.LLSC.addr, statement->Ist.LLSC.storedata)
              : loaded(value_of(statement->Ist.LLSC.addr), NULL);
      break;
    default:
      break;
  }
}

// Copies what the registers are now into their slots. The slot of a register may be the new value of another.
static void write_registers(void) {
  for (UInt i = 0; i < register_slots; ++i) {
    const UShort slot = in_register[i].slot;
    const Bool is_register = slot != known_slot && slot < first_temporary;
    if (is_changed[i] && is_register && slot != 1 + i && is_changed[slot - 1])
      in_register[i].slot = piece_add(slot, known_slot, NO_OPERATION);
  }
  for (UInt i = 0; i < register_slots; ++i) {
    if (is_changed[i] && in_register[i].slot != 1 + i) piece_write(1 + i, in_register[i].slot);
  }
}

static void emit_call(IRSB* out, const Steps* of) {
  IRExpr* const place = mkIRExpr_HWord((HWord)&path_countdown);
  IRExpr* const before = assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, place));
  IRExpr* const now = assign(out, Ity_I64, IRExpr_Binop(Iop_Sub64, before, mkIRExpr_HWord(of->instructions)));
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, place, now));
  IRDirty* const call = unsafeIRDirty_0_N(1, "path_follow", VG_(fnptr_to_fnentry)(path_follow),
                                          mkIRExprVec_1(mkIRExpr_HWord((HWord)of)));
  call->guard = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLT64S, now, mkIRExpr_HWord(0)));
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

// The slot of a register may have another value by the end of the piece.
static UShort slot_of_condition(const IRExpr* condition) {
  const UShort slot = result_of(condition).slot;
  return slot == known_slot || slot >= first_temporary ? slot : piece_add(slot, known_slot, NO_OPERATION);
}

void path_emit(IRSB* out, const Run* run, const IRExpr* condition) {
  const UShort decides = slot_of_condition(condition);
  write_registers();
  const Steps* const steps = piece_end(run, decides);
  if (steps) emit_call(out, steps);
  begin_piece();
}
