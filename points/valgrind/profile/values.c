#include "points/valgrind/profile/values.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

#include "guest.h"

// An operation on values, or a constant, which is its own operation.
typedef struct {
  ULong operation, a, b;
  UInt value;
} Known;

enum { most_known = 64, constant = Iop_LAST };

static const IRTypeEnv* types;
static UInt* value_of_temporary;
static Int temporaries;
static UInt in_register[registers];  // 0: not known yet
static Known known[most_known];      // the latest ones
static UInt known_count, values;

static UInt new_value(void) {
  return ++values;
}

void values_begin(const IRSB* in) {
  if (temporaries < in->tyenv->types_used) {
    temporaries = 2 * in->tyenv->types_used;
    value_of_temporary =
        VG_(realloc)("gable.values", value_of_temporary, temporaries * sizeof *value_of_temporary);
  }
  types = in->tyenv;
  VG_(memset)(value_of_temporary, 0, temporaries * sizeof *value_of_temporary);
  VG_(memset)(in_register, 0, sizeof in_register);
  known_count = values = 0;
}

// The value of an operation on values, which is new if the operation was not met lately.
static UInt computed(ULong operation, ULong a, ULong b) {
  const UInt count = known_count < most_known ? known_count : most_known;
  for (UInt i = 0; i < count; ++i) {
    if (known[i].operation == operation && known[i].a == a && known[i].b == b) return known[i].value;
  }
  Known* const added = &known[known_count++ % most_known];
  *added = (Known){operation, a, b, new_value()};
  return added->value;
}

static UInt value_of_constant(const IRConst* of) {
  switch (of->tag) {
    case Ico_U8:
      return computed(constant + of->tag, of->Ico.U8, 0);
    case Ico_U32:
      return computed(constant + of->tag, of->Ico.U32, 0);
    case Ico_U64:
      return computed(constant + of->tag, of->Ico.U64, 0);
    default:
      return 0;
  }
}

// Whether it is a register for integers, or a part of one. Vectors lie elsewhere.
static Bool is_register(Int offset, UInt* number) {
  *number = (offset - first_register) / 8;
  return offset >= first_register && *number < registers;
}

static Bool is_whole(Int offset, IRType type) {
  return type == Ity_I64 && (offset - first_register) % 8 == 0;
}

static UInt value_of_register(const IRExpr* get) {
  UInt number;
  const Int offset = get->Iex.Get.offset;
  if (!is_whole(offset, get->Iex.Get.ty) || !is_register(offset, &number)) return 0;
  if (!in_register[number]) in_register[number] = new_value();
  return in_register[number];
}

UInt value_of(const IRExpr* expression) {
  switch (expression->tag) {
    case Iex_RdTmp:
      return value_of_temporary[expression->Iex.RdTmp.tmp];
    case Iex_Const:
      return value_of_constant(expression->Iex.Const.con);
    default:
      return 0;
  }
}

static UInt value_of_data(const IRExpr* data) {
  switch (data->tag) {
    case Iex_Get:
      return value_of_register(data);
    case Iex_Unop: {
      const UInt a = value_of(data->Iex.Unop.arg);
      return a ? computed(data->Iex.Unop.op, a, 0) : 0;
    }
    case Iex_Binop: {
      const UInt a = value_of(data->Iex.Binop.arg1), b = value_of(data->Iex.Binop.arg2);
      return a && b ? computed(data->Iex.Binop.op, a, b) : 0;
    }
    default:
      return value_of(data);
  }
}

static void put(Int offset, const IRExpr* data) {
  UInt number;
  if (is_register(offset, &number))
    in_register[number] = is_whole(offset, typeOfIRExpr(types, data)) ? value_of(data) : 0;
}

void values_follow(const IRStmt* statement) {
  switch (statement->tag) {
    case Ist_WrTmp:
      value_of_temporary[statement->Ist.WrTmp.tmp] = value_of_data(statement->Ist.WrTmp.data);
      break;
    case Ist_Put:
      put(statement->Ist.Put.offset, statement->Ist.Put.data);
      break;
    case Ist_Dirty:  // it may write registers
    case Ist_PutI:
      VG_(memset)(in_register, 0, sizeof in_register);
      break;
    default:
      break;
  }
}
