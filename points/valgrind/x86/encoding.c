#include "points/valgrind/encoding.h"

#include "points/valgrind/x86/prefixes.h"

const UChar* after_legacy_prefixes(const UChar* code) {
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

// movntps, movntpd, movntss and movntsd; movntdq and movntq; movnti
static Bool is_streaming(const Opcode* opcode) {
  return opcode->map == 1 && (*opcode->code == 0x2b || *opcode->code == 0xe7 || *opcode->code == 0xc3);
}

static Bool is_gather(const Opcode* opcode) {
  return opcode->map == 2 && (*opcode->code & 0xfc) == 0x90;
}

// movs and stos with a prefix that repeats them
static Bool is_string(Addr address, const UChar* code) {
  Bool is_repeated = False;
  for (const UChar* prefix = (const UChar*)address; prefix < code; ++prefix)
    is_repeated = is_repeated || *prefix == 0xf2 || *prefix == 0xf3;
  if ((*code & 0xf0) == 0x40) ++code;
  return is_repeated && (*code == 0xa4 || *code == 0xa5 || *code == 0xaa || *code == 0xab);
}

void encoding_begin(Instruction* instruction, Addr address, UInt bytes) {
  if (bytes < 2) return;
  const UChar* const code = after_legacy_prefixes((const UChar*)address);
  instruction->is_string = is_string(address, code);
  instruction->wide = is_vex(code) && vex_is_256(code);
  const Opcode opcode = opcode_of(code);
  if (opcode.code + 1 >= (const UChar*)address + bytes) return;
  const Bool is_register = opcode.code[1] >= 0xc0;
  // VEX passes the register through memory below the stack.
  instruction->no_memory = !is_vex(code) && is_bit_test(&opcode) && is_register;
  // VEX reads the bytes that must not be overwritten.
  instruction->no_load = is_masked_bytes(&opcode) && is_register;
  instruction->is_streaming = is_streaming(&opcode);
  instruction->is_gather = is_vex(code) && is_gather(&opcode);
  instruction->loads_once = !instruction->is_gather;
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

void encoding_end(Instruction* instruction) {
  take_dot_product(instruction);
  if (instruction->wide) widen(instruction);
}
