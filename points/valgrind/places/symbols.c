#include "points/valgrind/places/symbols.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>

const HChar* symbol_at(Addr code) {
  const HChar* symbol;
  return VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), code, &symbol) ? symbol : NULL;
}

Bool symbol_is(const HChar* symbol, const HChar* prefix, const HChar* name) {
  const SizeT of_prefix = VG_(strlen)(prefix), of_name = VG_(strlen)(name);
  if (VG_(strncmp)(symbol, prefix, of_prefix) || VG_(strncmp)(symbol + of_prefix, name, of_name))
    return False;
  const HChar after = symbol[of_prefix + of_name];
  return !after || after == '@';
}
