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
