#include "points/valgrind/profile/objects/callers.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_stacktrace.h>

#include "points/valgrind/tally.h"

enum { most_callers = 12 };

static Bool has_name(const Function* function) {
  return VG_(strcmp)(function->name, "???") != 0;
}

ExeContext* callers_now(ThreadId thread) {
  Addr chain[most_callers];
  const Function* functions[most_callers];
  const UInt all = VG_(get_StackTrace)(thread, chain, most_callers, NULL, NULL, 0);
  for (UInt i = 0; i < all; ++i) {
    functions[i] = function_at(chain[i]);
    for (UInt before = 0; before < i && has_name(functions[i]); ++before) {
      if (functions[before] == functions[i]) return VG_(make_ExeContext_from_StackTrace)(chain, i);
    }
  }
  return VG_(make_ExeContext_from_StackTrace)(chain, all);
}
