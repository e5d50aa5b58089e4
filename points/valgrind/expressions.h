#pragma once

// Expressions of VEX for the code that is added to a block.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

// A new temporary of the block, which holds the value.
static inline IRExpr* assign(IRSB* out, IRType type, IRExpr* value) {
  const IRTemp temp = newIRTemp(out->tyenv, type);
  addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
  return IRExpr_RdTmp(temp);
}

// A counter of 64 bits of the tool, as it is when the code runs.
static inline IRExpr* load_counter(IRSB* out, const ULong* counter) {
  return assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, mkIRExpr_HWord((HWord)counter)));
}

static inline void increment(IRSB* out, const ULong* counter, IRExpr* by) {
  IRExpr* const sum = assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, load_counter(out, counter), by));
  addStmtToIRSB(out, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)counter), sum));
}
