#include "points/valgrind/instruction.h"

#include <pub_tool_libcbase.h>

#include "guest.h"
#include "points/valgrind/encoding.h"
#include "points/valgrind/registers.h"

typedef struct {
  Operation operation;
  Shape shape;
  UInt flops;
} Arithmetic;

// Packed and scalar forms of one operation: VEX has the same set for each.
#define FORMS(vex, operation)                     \
  case Iop_##vex##32F0x4:                         \
    return (Arithmetic){operation, SP_SCALAR, 1}; \
  case Iop_##vex##32Fx4:                          \
    return (Arithmetic){operation, SP_128, 4};    \
  case Iop_##vex##32Fx8:                          \
    return (Arithmetic){operation, SP_256, 8};    \
  case Iop_##vex##64F0x2:                         \
    return (Arithmetic){operation, DP_SCALAR, 1}; \
  case Iop_##vex##64Fx2:                          \
    return (Arithmetic){operation, DP_128, 2};    \
  case Iop_##vex##64Fx4:                          \
    return (Arithmetic){operation, DP_256, 4};    \
  case Iop_##vex##F32:                            \
    return (Arithmetic){operation, SP_SCALAR, 1}; \
  case Iop_##vex##F64:                            \
    return (Arithmetic) {                         \
      operation, F64_SHAPE, 1                     \
    }

static Arithmetic arithmetic_of(IROp operation) {
  switch (operation) {
    FORMS(Add, ADD);
    FORMS(Sub, ADD);
    FORMS(Mul, MUL);
    FORMS(Div, DIV);
    FORMS(Sqrt, SQRT);
    default:
      return (Arithmetic){0};
  }
}

static Bool is_subtraction(IROp operation) {
  switch (operation) {
    case Iop_Sub32Fx4:
    case Iop_Sub32Fx8:
    case Iop_Sub64Fx2:
    case Iop_Sub64Fx4:
      return True;
    default:
      return False;
  }
}

void instruction_begin(Instruction* instruction, Addr address, UInt bytes) {
  VG_(memset)(instruction, 0, sizeof *instruction);
  instruction->address = address;
  encoding_begin(instruction, address, bytes);
}

void instruction_operation(Instruction* instruction, IROp operation) {
  switch (operation) {
    case Iop_MAddF32:
    case Iop_MSubF32:
      ++instruction->multiply_adds[0];
      return;
    case Iop_MAddF64:
    case Iop_MSubF64:
      ++instruction->multiply_adds[1];
      return;
    default:
      break;
  }
  const Arithmetic done = arithmetic_of(operation);
  if (!done.flops) return;
  if (is_subtraction(operation)) {
    instruction->subtractions[done.shape] += done.flops;
  } else {
    instruction->counts[flops_index(done.operation, done.shape)] += done.flops;
  }
}

// Whether an operation, and no load or copy alone, computes the value.
static Bool is_computed(const IRSB* out, const IRExpr* value) {
  for (Int i = out->stmts_used - 1; i >= 0 && value->tag == Iex_RdTmp; --i) {
    const IRStmt* const before = out->stmts[i];
    if (before->tag != Ist_WrTmp || before->Ist.WrTmp.tmp != value->Iex.RdTmp.tmp) continue;
    value = before->Ist.WrTmp.data;
    if (value->tag == Iex_Unop) value = value->Iex.Unop.arg;  // usually to another width
  }
  return value->tag == Iex_Binop || value->tag == Iex_ITE || value->tag == Iex_CCall;
}

void instruction_put(Instruction* instruction, const IRSB* out, const IRStmt* put) {
  const Int offset = put->Ist.Put.offset;
  const IRExpr* const value = put->Ist.Put.data;
  const Bool is_register =
      offset >= first_register && offset < first_register + 8 * registers && offset / 8 != stack_pointer / 8;
  if (is_vector(offset)) instruction->sets_vector = True;
  // The flags of floating-point comparisons are copied.
  const Bool is_copied = value->tag == Iex_Const && value->Iex.Const.con->Ico.U64 == 0;
  if ((offset == flags && !is_copied) || (is_register && is_computed(out, value)))
    instruction->counts[INTEGER] = 1;
}

// addsub: VEX computes all sums and all differences and selects from both. Other instructions have one kind.
static void take_subtractions(Instruction* instruction) {
  for (Shape shape = 0; shape < SHAPES; ++shape) {
    UInt* const additions = &instruction->counts[flops_index(ADD, shape)];
    if (instruction->subtractions[shape] > *additions) *additions = instruction->subtractions[shape];
    instruction->subtractions[shape] = 0;
  }
}

// VEX has one operation per lane.
static void take_multiply_adds(Instruction* instruction) {
  static const Shape shapes[2][3] = {{SP_SCALAR, SP_128, SP_256}, {DP_SCALAR, DP_128, DP_256}};
  for (UInt precision = 0; precision < 2; ++precision) {
    const UInt lanes = instruction->multiply_adds[precision];
    if (!lanes) continue;
    const UInt width = lanes == 1 ? 0 : lanes * (precision ? 8 : 4) == 16 ? 1 : 2;
    instruction->counts[flops_index(FMA, shapes[precision][width])] += 2 * lanes;
    instruction->multiply_adds[precision] = 0;
  }
}

void instruction_end(Instruction* instruction) {
  take_subtractions(instruction);
  take_multiply_adds(instruction);
  if (instruction->sets_vector && instruction->loads)
    instruction->counts[VECTOR_LOADS] += instruction->loads_once ? 1 : instruction->loads;
  instruction->loads = 0;
  encoding_end(instruction);
}
