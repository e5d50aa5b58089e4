#pragma once

// Calls of the tool from instrumented code that read the guest's registers, which VEX keeps up to date at
// every instruction.

#include <pub_tool_basics.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_machine.h>
#include <pub_tool_tooliface.h>

#include "guest.h"

// Of `function`(GuestState*, `second`), a VG_REGPARM(2).
static inline IRDirty* call_with_guest(const HChar* name, void* function, IRExpr* second) {
  IRDirty* const call =
      unsafeIRDirty_0_N(2, name, VG_(fnptr_to_fnentry)(function), mkIRExprVec_2(IRExpr_GSPTR(), second));
  call->nFxState = 1;
  VG_(memset)(&call->fxState, 0, sizeof call->fxState);
  call->fxState[0].fx = Ifx_Read;
  call->fxState[0].offset = 16;  // after the event counter
  call->fxState[0].size = sizeof(GuestState) - 16;
  return call;
}
