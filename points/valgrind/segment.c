#include "points/valgrind/segment.h"

#include <pub_tool_libcbase.h>

#include "points/valgrind/expressions.h"

static IRExpr* constant(ULong value) {
  return IRExpr_Const(IRConst_U64(value));
}

static IRTemp temporary(IRSB* out, IRExpr* value) {
  return assign(out, Ity_I64, value)->Iex.RdTmp.tmp;
}

static IRTemp sum(IRSB* out, IRTemp a, IRExpr* b) {
  return temporary(out, IRExpr_Binop(Iop_Add64, IRExpr_RdTmp(a), b));
}

static void forget(Segment* segment) {
  VG_(memset)(segment->counts, 0, sizeof segment->counts);
  segment->guarded[LOAD_BYTES] = segment->guarded[STORE_BYTES] = IRTemp_INVALID;
  segment->begin = segment->end = 0;
  segment->finished = segment->run;
  segment->run = NULL;
}

Segment segment_begin(IRSB* out) {
  Segment segment = {.out = out};
  forget(&segment);
  return segment;
}

void segment_add_guarded(Segment* segment, UInt counter, UInt bytes, IRExpr* guard) {
  IRSB* const out = segment->out;
  const IRTemp mask = temporary(out, IRExpr_Unop(Iop_1Sto64, guard));
  const IRTemp some = temporary(out, IRExpr_Binop(Iop_And64, IRExpr_RdTmp(mask), constant(bytes)));
  IRTemp* const guarded = &segment->guarded[counter];
  *guarded = *guarded == IRTemp_INVALID ? some : sum(out, *guarded, IRExpr_RdTmp(some));
}

static IRTemp guarded_of(const Segment* segment, UInt counter) {
  return counter == LOAD_BYTES || counter == STORE_BYTES ? segment->guarded[counter] : IRTemp_INVALID;
}

static Bool has_any(const Segment* segment, UInt counter) {
  return segment->counts[counter] || guarded_of(segment, counter) != IRTemp_INVALID;
}

static Bool is_empty(const Segment* segment) {
  for (UInt i = 0; i < COUNTERS; ++i) {
    if (has_any(segment, i)) return False;
  }
  return True;
}

// The address has a single use each time, so that it becomes a part of the instruction.
static IRExpr* address_of(IRSB* out, IRTemp tally, UInt counter) {
  return IRExpr_RdTmp(sum(out, tally, constant(counter * sizeof(ULong))));
}

static void add_to_thread(Segment* segment) {
  IRSB* const out = segment->out;
  const IRTemp tally = temporary(out, IRExpr_Load(Iend_LE, Ity_I64, constant((Addr)&running)));
  for (UInt i = 0; i < COUNTERS; ++i) {
    if (!has_any(segment, i)) continue;
    const IRTemp guarded = guarded_of(segment, i);
    IRTemp value = temporary(out, IRExpr_Load(Iend_LE, Ity_I64, address_of(out, tally, i)));
    if (segment->counts[i]) value = sum(out, value, constant(segment->counts[i]));
    if (guarded != IRTemp_INVALID) value = sum(out, value, IRExpr_RdTmp(guarded));
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, address_of(out, tally, i), IRExpr_RdTmp(value)));
  }
}

// The run tells the function's work, but for conditional accesses.
static void add_to_function(Segment* segment) {
  IRSB* const out = segment->out;
  Run* const run = segment_run(segment);
  run->end = segment->end;
  run_does(run, segment->counts);
  run_emit(run, out);
  for (UInt i = LOAD_BYTES; i <= STORE_BYTES; ++i) {
    if (segment->guarded[i] == IRTemp_INVALID) continue;
    IRExpr* const address = constant((Addr)&run->guarded[i]);
    const IRTemp before = temporary(out, IRExpr_Load(Iend_LE, Ity_I64, address));
    const IRTemp after = sum(out, before, IRExpr_RdTmp(segment->guarded[i]));
    addStmtToIRSB(out, IRStmt_Store(Iend_LE, address, IRExpr_RdTmp(after)));
  }
}

Run* segment_run(Segment* segment) {
  // Control may have left in the middle of the instruction.
  const Addr address = segment->begin ? segment->begin : segment->instruction;
  if (!segment->run) segment->run = run_of(segment->function, address);
  return segment->run;
}

void segment_finish(Segment* segment) {
  if (!is_empty(segment)) {
    add_to_thread(segment);
    if (segment->function) add_to_function(segment);
  }
  forget(segment);
}
