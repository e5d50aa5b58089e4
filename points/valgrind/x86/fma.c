#include "points/valgrind/fma.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>

#include "guest.h"
#include "points/valgrind/x86/fma_call.h"
#include "points/valgrind/x86/prefixes.h"

enum { most_lanes = 8 };

// The instruction at hand. The call does all of its arithmetic and sets its register. VEX's own operations
// and writes of the register are left out, and what they computed is read from the register again.
static struct {
  Bool is_replaced;
  Fma fma;
  IRExpr* address;  // of the operand in memory
  UInt computed, put;
  IRTemp computed_by_vex[2 * most_lanes];  // a multiply-add, or one that is negated
  struct {
    IRTemp temp;
    Int offset;  // where VEX puts it
  } puts[most_lanes];
} now;

// Intel SDM volume 2, section 2.3.5: a VEX prefix of three bytes, the opcode and the modrm byte.
static Bool decode(const UChar* code, Fma* fma) {
  const Bool is_map_0f38 = code[0] == 0xc4 && (code[1] & 0x1f) == 2, is_66 = (code[2] & 3) == 1;
  const UInt opcode = code[3], modrm = code[4];
  if (!is_map_0f38 || !is_66 || opcode < 0x96 || opcode > 0xbf || (opcode & 15) < 6) return False;
  *fma = (Fma){.to = (modrm >> 3 & 7) | (code[1] & 0x80 ? 0 : 8),
               .second = ~(code[2] >> 3) & 15,
               .third = (modrm & 7) | (code[1] & 0x20 ? 0 : 8),
               .opcode = opcode,
               .is_memory = modrm < 0xc0,
               .is_double = code[2] >> 7,
               .is_256 = code[2] >> 2 & 1};
  if (fma_is_scalar(fma)) fma->is_256 = False;  // the bit is ignored
  return True;
}

void fma_begin(Addr address, UInt bytes) {
  enum { shortest = 5 };
  VG_(memset)(&now, 0, sizeof now);
  if (bytes < shortest || !cpu_has_fma()) return;
  const UChar* const code = after_legacy_prefixes((const UChar*)address);
  now.is_replaced = code + shortest <= (const UChar*)address + bytes && decode(code, &now.fma);
}

static Bool is_multiply_add(const IRExpr* data) {
  if (data->tag != Iex_Qop) return False;
  switch (data->Iex.Qop.details->op) {
    case Iop_MAddF64:
    case Iop_MSubF64:
    case Iop_MAddF32:
    case Iop_MSubF32:
      return True;
    default:
      return False;
  }
}

static Bool is_computed(const IRExpr* data) {
  for (UInt i = 0; data->tag == Iex_RdTmp && i < now.computed; ++i) {
    if (data->Iex.RdTmp.tmp == now.computed_by_vex[i]) return True;
  }
  return False;
}

static Bool is_negation(const IRExpr* data) {
  return data->tag == Iex_Unop && (data->Iex.Unop.op == Iop_NegF64 || data->Iex.Unop.op == Iop_NegF32) &&
         is_computed(data->Iex.Unop.arg);
}

static Int offset_of(UInt number) {
  return offsetof(GuestState, guest_YMM0) + 32 * number;
}

Bool fma_replaces(const IRStmt* statement) {
  if (!now.is_replaced) return False;
  if (statement->tag == Ist_WrTmp) {
    IRExpr* const data = statement->Ist.WrTmp.data;
    if (data->tag == Iex_Load && !now.address) now.address = data->Iex.Load.addr;
    if (!is_multiply_add(data) && !is_negation(data)) return False;
    now.computed_by_vex[now.computed++] = statement->Ist.WrTmp.tmp;
    return True;
  }
  if (statement->tag != Ist_Put) return False;
  const Int offset = statement->Ist.Put.offset, of_register = offset_of(now.fma.to);
  if (offset < of_register || offset >= of_register + 32) return False;
  if (is_computed(statement->Ist.Put.data)) {
    now.puts[now.put].temp = statement->Ist.Put.data->Iex.RdTmp.tmp;
    now.puts[now.put++].offset = offset;
  }
  return True;
}

static void declare(IRDirty* call, IREffect effect, UInt number) {
  const Int i = call->nFxState++;
  call->fxState[i].fx = effect;
  call->fxState[i].offset = offset_of(number);
  call->fxState[i].size = 32;
}

static void emit_call(IRSB* out) {
  IRExpr** const arguments = mkIRExprVec_3(IRExpr_GSPTR(), mkIRExpr_HWord(fma_packed(&now.fma)),
                                           now.fma.is_memory ? now.address : mkIRExpr_HWord(0));
  IRDirty* const call =
      unsafeIRDirty_0_N(3, "fma_call", VG_(fnptr_to_fnentry)(fma_call_of(&now.fma)), arguments);
  VG_(memset)(&call->fxState, 0, sizeof call->fxState);
  declare(call, Ifx_Modify, now.fma.to);
  if (now.fma.second != now.fma.to) declare(call, Ifx_Read, now.fma.second);
  if (!now.fma.is_memory && now.fma.third != now.fma.to && now.fma.third != now.fma.second) {
    declare(call, Ifx_Read, now.fma.third);
  }
  if (now.fma.is_memory) {
    call->mFx = Ifx_Read;
    call->mAddr = now.address;
    call->mSize = fma_is_scalar(&now.fma) ? (now.fma.is_double ? 8 : 4) : now.fma.is_256 ? 32 : 16;
  }
  addStmtToIRSB(out, IRStmt_Dirty(call));
}

void fma_end(IRSB* out) {
  if (!now.is_replaced) return;
  now.is_replaced = False;
  emit_call(out);
  for (UInt i = 0; i < now.put; ++i) {
    const IRTemp temp = now.puts[i].temp;
    addStmtToIRSB(out, IRStmt_WrTmp(temp, IRExpr_Get(now.puts[i].offset, typeOfIRTemp(out->tyenv, temp))));
  }
}
