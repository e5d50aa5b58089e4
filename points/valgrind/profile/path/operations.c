#include "points/valgrind/profile/path/operations.h"

// Packed and scalar forms of one operation.
#define SINGLE(vex)       \
  case Iop_##vex##32F0x4: \
  case Iop_##vex##32Fx4:  \
  case Iop_##vex##32Fx8:  \
  case Iop_##vex##F32
#define DOUBLE(vex)       \
  case Iop_##vex##64F0x2: \
  case Iop_##vex##64Fx2:  \
  case Iop_##vex##64Fx4:  \
  case Iop_##vex##F64

static Latency arithmetic(IROp operation) {
  switch (operation) {
    SINGLE(Add) : SINGLE(Sub) : DOUBLE(Add) : DOUBLE(Sub) : return FP_ADD;
    SINGLE(Mul) : DOUBLE(Mul) : return FP_MUL;
    SINGLE(Div) : return DIV_SP;
    DOUBLE(Div) : return DIV_DP;
    SINGLE(Sqrt) : return SQRT_SP;
    DOUBLE(Sqrt) : return SQRT_DP;
    case Iop_MAddF32:
    case Iop_MSubF32:
    case Iop_MAddF64:
    case Iop_MSubF64:
      return FP_FMA;
    default:
      return NO_OPERATION;
  }
}

static Latency conversion(IROp operation) {
  switch (operation) {
    case Iop_F64toI32S:
    case Iop_F64toI32U:
    case Iop_F64toI64S:
    case Iop_F64toI64U:
    case Iop_F32toI32S:
    case Iop_F32toI32U:
    case Iop_F32toI64S:
    case Iop_F32toI64U:
    case Iop_I32StoF64:
    case Iop_I32UtoF64:
    case Iop_I64StoF64:
    case Iop_I64UtoF64:
    case Iop_I32StoF32:
    case Iop_I32UtoF32:
    case Iop_I64StoF32:
    case Iop_I64UtoF32:
    case Iop_F32toF64:
    case Iop_F64toF32:
    case Iop_RoundF64toInt:
    case Iop_RoundF32toInt:
    case Iop_I32StoF32x4:
    case Iop_I32StoF32x8:
      return CONVERT;
    default:
      return NO_OPERATION;
  }
}

static Latency multiplication(IROp operation) {
  switch (operation) {
    case Iop_Mul16:
    case Iop_Mul32:
    case Iop_Mul64:
    case Iop_MullS32:
    case Iop_MullS64:
    case Iop_MullU32:
    case Iop_MullU64:
      return INTEGER_MUL;
    default:
      return NO_OPERATION;
  }
}

static Latency division(IROp operation) {
  switch (operation) {
    case Iop_DivU32:
    case Iop_DivS32:
    case Iop_DivModU64to32:
    case Iop_DivModS64to32:
    case Iop_DivModU32to32:
    case Iop_DivModS32to32:
      return INTEGER_DIV_32;
    case Iop_DivU64:
    case Iop_DivS64:
    case Iop_DivModU128to64:
    case Iop_DivModS128to64:
    case Iop_DivModU64to64:
    case Iop_DivModS64to64:
      return INTEGER_DIV_64;
    default:
      return NO_OPERATION;
  }
}

Latency latency_of(IROp operation) {
  const Latency by[] = {arithmetic(operation), conversion(operation), multiplication(operation),
                        division(operation)};
  for (UInt i = 0; i < sizeof by / sizeof *by; ++i) {
    if (by[i] != NO_OPERATION) return by[i];
  }
  return NO_OPERATION;
}

#define WIDTHS(vex, sign)      \
  case Iop_Cmp##vex##32##sign: \
  case Iop_Cmp##vex##64##sign

Bool is_comparison(IROp operation) {
  switch (operation) {
    WIDTHS(LT, S) : WIDTHS(LT, U) : WIDTHS(LE, S) : WIDTHS(LE, U) : WIDTHS(EQ, ) : WIDTHS(NE, ) : return True;
    case Iop_CmpEQ8:
    case Iop_CmpEQ16:
    case Iop_CmpNE8:
    case Iop_CmpNE16:
      return True;
    default:
      return False;
  }
}

Bool is_of_condition(IROp operation) {
  switch (operation) {
    case Iop_1Uto8:
    case Iop_1Uto32:
    case Iop_1Uto64:
    case Iop_1Sto8:
    case Iop_1Sto16:
    case Iop_1Sto32:
    case Iop_1Sto64:
      return True;
    default:
      return False;
  }
}
