#include "points/valgrind/code.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

// From the symbol to the last instruction of it that ran. A name may stand for several symbols.
struct Code {
  Addr address;
  ULong offset;  // of the symbol in the file
  SizeT bytes;
  Code* next;
};

// The address of the symbol that contains the instruction; 0: there is none.
static Addr symbol_of(const Function* function, Addr address) {
  const HChar* with_offset;
  if (!VG_(get_fnname_w_offset)(VG_(current_DiEpoch)(), address, &with_offset)) return 0;
  const SizeT length = VG_(strlen)(function->name);
  if (VG_(strncmp)(with_offset, function->name, length) != 0) return 0;
  return with_offset[length] == '+' ? address - VG_(strtoll10)(with_offset + length + 1, NULL) : address;
}

void code_add(Function* function, Addr address, UInt bytes) {
  const Addr end = address + bytes;
  Code* code = function->code;
  if (code && code->address <= address && end <= code->address + code->bytes) return;
  const Addr symbol = symbol_of(function, address);
  if (!symbol) return;
  while (code && code->address != symbol) code = code->next;
  if (!code) {
    const NSegment* const segment = VG_(am_find_nsegment)(symbol);
    if (!segment || segment->kind != SkFileC) return;
    code = VG_(malloc)("gable.code", sizeof *code);
    *code = (Code){symbol, symbol - segment->start + segment->offset, 0, function->code};
    function->code = code;
  }
  if (end - symbol > code->bytes) code->bytes = end - symbol;
}

void code_write(Json* json, const Function* function) {
  json_text(json, "[");
  for (const Code* code = function->code; code; code = code->next)
    json_text(json, "%s[%llu,%llu]", code == function->code ? "" : ",", code->offset,
              code->offset + code->bytes);
  json_text(json, "]");
}
