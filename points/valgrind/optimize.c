#include "points/valgrind/optimize.h"

#include <pub_tool_options.h>

#include "guest.h"

void optimize_later(void) {
  VG_(clo_vex_control).iropt_level = 0;
  VG_(clo_vex_control).iropt_unroll_thresh = 0;
  VG_(clo_vex_control).guest_chase = False;
}

#ifdef VEX_IS_KNOWN

// These are VEX's own (VEX/priv/ir_opt.h, guest_*_defs.h, main_globals.h of Valgrind 3.13 to 3.25). No header
// for tools declares them.
extern VexControl vex_control;
extern IRSB* do_iropt_BB(IRSB* block, IRExpr* (*specialize)(const HChar*, IRExpr**, IRStmt**, Int),
                         Bool (*is_precise)(Int, Int, VexRegisterUpdates), VexRegisterUpdates updates,
                         Addr address, VexArch architecture);
extern IRExpr* GUEST_SPECIALIZE(const HChar*, IRExpr**, IRStmt**, Int);
extern Bool GUEST_IS_PRECISE(Int, Int, VexRegisterUpdates);

IRSB* optimized(IRSB* block) {
  vex_control.iropt_level = 2;
  IRSB* const better =
      do_iropt_BB(block, GUEST_SPECIALIZE, GUEST_IS_PRECISE,
                  VG_(clo_vex_control).iropt_register_updates_default, 0, GUEST_ARCHITECTURE);
  vex_control.iropt_level = 0;
  return better;
}

#else

IRSB* optimized(IRSB* block) {
  return block;
}

#endif
