#include "points/valgrind/instruction.h"

#include <pub_tool_libcbase.h>

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
  case Iop_##vex##F64:                            \
    return (Arithmetic) {                         \
      operation, X87, 1                           \
    }

// Except for FMA, operations on plain F64 come only from the x87.
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

// First byte after segment, size and repeat prefixes.
static const UChar* after_legacy_prefixes(const UChar* code) {
  for (;; ++code) {
    switch (*code) {
      case 0x26:
      case 0x2e:
      case 0x36:
      case 0x3e:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0xf0:
      case 0xf2:
      case 0xf3:
        continue;
      default:
        return code;
    }
  }
}

// In 64-bit code C4 and C5 always begin a VEX prefix (Intel SDM volume 2, section 2.3.5).
static Bool is_vex(const UChar* code) {
  return *code == 0xc4 || *code == 0xc5;
}

static Bool vex_is_256(const UChar* code) {
  return ((code[0] == 0xc5 ? code[1] : code[2]) & 4) != 0;
}

typedef struct {
  UInt map;           // 1: opened by 0F, 2: by 0F 38; 0: another
  const UChar* code;  // the opcode, and its modrm byte after it
} Opcode;

static Opcode opcode_of(const UChar* code) {
  if (*code == 0xc5) return (Opcode){1, code + 2};
  if (*code == 0xc4) return (Opcode){code[1] & 0x1f, code + 3};
  if ((*code & 0xf0) == 0x40) ++code;
  return (Opcode){*code == 0x0f ? 1 : 0, code + 1};
}

// bt, bts, btr, btc with the bit's number in a register (SDM volume 2, BT).
static Bool is_bit_test(const Opcode* opcode) {
  return opcode->map == 1 && (*opcode->code & 0xe7) == 0xa3;
}

// maskmovq, maskmovdqu
static Bool is_masked_bytes(const Opcode* opcode) {
  return opcode->map == 1 && *opcode->code == 0xf7;
}

static Bool is_gather(const Opcode* opcode) {
  return opcode->map == 2 && (*opcode->code & 0xfc) == 0x90;
}

void instruction_begin(Instruction* instruction, Addr address, UInt bytes) {
  VG_(memset)(instruction, 0, sizeof *instruction);
  if (bytes < 2) return;
  const UChar* const code = after_legacy_prefixes((const UChar*)address);
  instruction->wide = is_vex(code) && vex_is_256(code);
  const Opcode opcode = opcode_of(code);
  if (opcode.code + 1 >= (const UChar*)address + bytes) return;
  const Bool is_register = opcode.code[1] >= 0xc0;
  // VEX passes the register through memory below the stack.
  instruction->no_memory = !is_vex(code) && is_bit_test(&opcode) && is_register;
  // VEX reads the bytes that must not be overwritten.
  instruction->no_load = is_masked_bytes(&opcode) && is_register;
  instruction->is_gather = is_vex(code) && is_gather(&opcode);
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

// dpps: three additions sum four products; VEX uses eight.
static void take_dot_product(Instruction* instruction) {
  const UInt products = instruction->counts[flops_index(MUL, SP_128)];
  if (products && instruction->counts[flops_index(ADD, SP_128)]) {
    instruction->counts[flops_index(ADD, SP_128)] = products / 4 * 3;
  }
}

static void move(UInt* from, UInt* to) {
  *to += *from;
  *from = 0;
}

// VEX splits some 256-bit instructions into two 128-bit halves (horizontal additions).
static void widen(Instruction* instruction) {
  for (Operation operation = ADD; operation < OPERATIONS; ++operation) {
    UInt* const of = &instruction->counts[flops_index(operation, 0)];
    move(&of[SP_128], &of[SP_256]);
    move(&of[DP_128], &of[DP_256]);
  }
}

void instruction_end(Instruction* instruction) {
  take_subtractions(instruction);
  take_multiply_adds(instruction);
  take_dot_product(instruction);
  if (instruction->wide) widen(instruction);
}
