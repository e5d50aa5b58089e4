#include "points/valgrind/profile/chains.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_xarray.h>

#include "points/valgrind/expressions.h"

typedef struct {
  ULong of[registers];
} Lengths;

static Lengths lengths;     // of the running thread: loads that each register's value waited for
static Lengths aged;        // as they were when `chains_age` was called last
static XArray* lengths_of;  // Lengths, by thread, of those that do not run
static UInt whose;

static const Origin nothing = {0};
static Origin* origin_of;  // by temporary of the block
static Int temporaries;
static Origin in_register[registers];  // now

static Bool is_register(Int offset, UInt* number) {
  if (offset < first_register || offset >= first_register + 8 * registers || (offset - first_register) % 8)
    return False;
  *number = (offset - first_register) / 8;
  return True;
}

static void begin_segment(void) {
  for (UInt i = 0; i < registers; ++i) {
    in_register[i] = (Origin){.count = 1};
    in_register[i].of[0].reg = i;
  }
}

void chains_begin(const IRSB* in) {
  if (temporaries < in->tyenv->types_used) {
    temporaries = 2 * in->tyenv->types_used;
    origin_of = VG_(realloc)("gable.chains", origin_of, temporaries * sizeof *origin_of);
  }
  VG_(memset)(origin_of, 0, temporaries * sizeof *origin_of);
  begin_segment();
}

// Adds a register. If there are too many, it keeps those that waited for most loads within the block.
static void add(Origin* to, UChar reg, UChar plus) {
  for (UInt i = 0; i < to->count; ++i) {
    if (to->of[i].reg != reg) continue;
    if (plus > to->of[i].plus) to->of[i].plus = plus;
    return;
  }
  if (to->count < most_origins) {
    to->of[to->count].reg = reg;
    to->of[to->count++].plus = plus;
    return;
  }
  UInt least = 0;
  for (UInt i = 1; i < to->count; ++i) {
    if (to->of[i].plus < to->of[least].plus) least = i;
  }
  if (plus > to->of[least].plus) {
    to->of[least].reg = reg;
    to->of[least].plus = plus;
  }
}

static Origin both(Origin a, Origin b) {
  for (UInt i = 0; i < b.count; ++i) add(&a, b.of[i].reg, b.of[i].plus);
  return a;
}

// The origin of what is loaded from this address. What lies on the stack was spilled there, and is in the
// first cache.
static Origin of_loaded(Origin address) {
  enum { stack_register = (stack_pointer - first_register) / 8 };
  if (address.count == 1 && address.of[0].reg == stack_register && !address.of[0].plus) return nothing;
  if (!address.count) address = (Origin){.count = 1, .of = {{.reg = registers}}};
  for (UInt i = 0; i < address.count; ++i) {
    if (address.of[i].plus < 255) ++address.of[i].plus;
  }
  return address;
}

Origin chains_origin(const IRExpr* of) {
  return of->tag == Iex_RdTmp ? origin_of[of->Iex.RdTmp.tmp] : nothing;
}

static Bool is_integer(IRType type) {
  return type == Ity_I64 || type == Ity_I32 || type == Ity_I16 || type == Ity_I8;
}

static Origin origin_of_arguments(IRExpr* const* arguments) {
  Origin origin = nothing;
  for (; *arguments; ++arguments) origin = both(origin, chains_origin(*arguments));
  return origin;
}

static Origin origin_of_data(const IRExpr* data) {
  UInt number;
  switch (data->tag) {
    case Iex_Get:
      return is_integer(data->Iex.Get.ty) && is_register(data->Iex.Get.offset, &number) ? in_register[number]
                                                                                        : nothing;
    case Iex_RdTmp:
      return chains_origin(data);
    case Iex_Load:
      return is_integer(data->Iex.Load.ty) ? of_loaded(chains_origin(data->Iex.Load.addr)) : nothing;
    case Iex_Unop:
      return chains_origin(data->Iex.Unop.arg);
    case Iex_Binop:
      return both(chains_origin(data->Iex.Binop.arg1), chains_origin(data->Iex.Binop.arg2));
    case Iex_ITE:  // a conditional move waits for what is compared, too
      return both(chains_origin(data->Iex.ITE.cond),
                  both(chains_origin(data->Iex.ITE.iftrue), chains_origin(data->Iex.ITE.iffalse)));
    case Iex_CCall:  // conditions, computed from flags
      return origin_of_arguments(data->Iex.CCall.args);
    default:
      return nothing;
  }
}

void chains_follow(const IRStmt* statement) {
  UInt number;
  if (statement->tag == Ist_WrTmp) {
    origin_of[statement->Ist.WrTmp.tmp] = origin_of_data(statement->Ist.WrTmp.data);
  } else if (statement->tag == Ist_LoadG) {
    const IRLoadG* const load = statement->Ist.LoadG.details;
    origin_of[load->dst] = both(of_loaded(chains_origin(load->addr)), chains_origin(load->alt));
  } else if (statement->tag == Ist_Put && is_register(statement->Ist.Put.offset, &number)) {
    in_register[number] = chains_origin(statement->Ist.Put.data);
  }
}

static Bool is_unchanged(UInt number) {
  const Origin* const origin = &in_register[number];
  return origin->count == 1 && origin->of[0].reg == number && !origin->of[0].plus;
}

static IRExpr* emit_length(IRSB* out, UChar reg, UChar plus) {
  if (reg == registers) return mkIRExpr_HWord(plus);
  IRExpr* const known = load_counter(out, &lengths.of[reg]);
  return plus ? assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, known, mkIRExpr_HWord(plus))) : known;
}

static IRExpr* emit_origin(IRSB* out, const Origin* origin) {
  if (!origin->count) return mkIRExpr_HWord(0);
  IRExpr* most = emit_length(out, origin->of[0].reg, origin->of[0].plus);
  for (UInt i = 1; i < origin->count; ++i) {
    IRExpr* const next = emit_length(out, origin->of[i].reg, origin->of[i].plus);
    IRExpr* const is_less = assign(out, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, most, next));
    most = assign(out, Ity_I64, IRExpr_ITE(is_less, next, most));
  }
  return most;
}

void chains_emit(IRSB* out) {
  IRExpr* values[registers];
  for (UInt i = 0; i < registers; ++i) values[i] = is_unchanged(i) ? NULL : emit_origin(out, &in_register[i]);
  for (UInt i = 0; i < registers; ++i) {
    if (values[i])
      addStmtToIRSB(out, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)&lengths.of[i]), values[i]));
  }
  // What is computed from now on comes from registers as they are here. Temporaries keep what they know.
  for (Int i = 0; i < temporaries; ++i) origin_of[i] = nothing;
  begin_segment();
}

ULong chain_length(const Origin* origin) {
  ULong most = 0;
  for (UInt i = 0; i < origin->count; ++i) {
    const UChar reg = origin->of[i].reg;
    const ULong length = (reg == registers ? 0 : lengths.of[reg]) + origin->of[i].plus;
    if (length > most) most = length;
  }
  return most + 1;
}

// A register that keeps its length for long holds a value that was known long ago, so nothing waits for it.
void chains_age(void) {
  for (UInt i = 0; i < registers; ++i) {
    if (lengths.of[i] == aged.of[i]) lengths.of[i] = 0;
  }
  aged = lengths;
}

void chains_switch(UInt number) {
  if (whose == number) return;
  if (!lengths_of) lengths_of = VG_(newXA)(VG_(malloc), "gable.chains", VG_(free), sizeof(Lengths));
  const Lengths none = {{0}};
  while (VG_(sizeXA)(lengths_of) <= (Word)(whose > number ? whose : number)) VG_(addToXA)(lengths_of, &none);
  *(Lengths*)VG_(indexXA)(lengths_of, whose) = lengths;
  lengths = *(Lengths*)VG_(indexXA)(lengths_of, number);
  whose = number;
}

void chains_forget(void) {
  if (lengths_of) VG_(deleteXA)(lengths_of);
  lengths_of = NULL;
  whose = 0;
}
