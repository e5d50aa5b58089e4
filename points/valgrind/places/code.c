#include "points/valgrind/places/code.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

#include "points/valgrind/places/loops.h"
#include "points/valgrind/places/runs.h"
#include "points/valgrind/places/unwind.h"

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
  if (!VG_(get_fnname_w_offset)(VG_(current_DiEpoch)(), address, &with_offset))
    return unwind_function(address);
  const SizeT length = VG_(strlen)(function->name);
  if (VG_(strncmp)(with_offset, function->name, length) != 0) return 0;
  return with_offset[length] == '+' ? address - VG_(strtoll10)(with_offset + length + 1, NULL) : address;
}

// Code from its symbol on, all of which is known to be the function's. Look-ups of names are slow.
static struct {
  UInt epoch;
  Addr symbol, end;  // symbol is 0 if there is none
  Addr first;
  Function* function;
} latest;

static Bool is_latest(Addr address) {
  return latest.function && latest.epoch == VG_(current_DiEpoch)().n && address >= latest.first &&
         address < latest.end;
}

static void look_up(Addr address) {
  latest.epoch = VG_(current_DiEpoch)().n;
  latest.function = function_at(address);
  latest.symbol = symbol_of(latest.function, address);
  latest.first = latest.symbol ? latest.symbol : address;
  latest.end = address + 1;
}

static void add(Addr end) {
  Code* code = latest.function->code;
  while (code && code->address != latest.symbol) code = code->next;
  if (!code) {
    const NSegment* const segment = VG_(am_find_nsegment)(latest.symbol);
    if (!segment || segment->kind != SkFileC) return;
    code = VG_(malloc)("gable.code", sizeof *code);
    *code = (Code){latest.symbol, latest.symbol - segment->start + segment->offset, 0, latest.function->code};
    latest.function->code = code;
  }
  if (end - latest.symbol > code->bytes) code->bytes = end - latest.symbol;
}

Function* code_at(Addr address, UInt bytes, Addr last) {
  if (!is_latest(address)) look_up(address);
  if (latest.symbol) {
    if (last >= latest.end && symbol_of(latest.function, last) == latest.symbol) latest.end = last + 1;
    add(address + bytes);
  }
  return latest.function;
}

void code_set(Function* loop, ULong offset, SizeT bytes) {
  if (!loop->code) loop->code = VG_(calloc)("gable.code", 1, sizeof *loop->code);
  loop->code->offset = offset;
  loop->code->bytes = bytes;
}

static Int by_address(const void* a, const void* b) {
  const Addr one = ((const Code*)a)->address, other = ((const Code*)b)->address;
  return one < other ? -1 : one > other;
}

// Code that was executed, without the function's loops; `to` has room for all of its runs. Returns the
// number.
static UInt executed_code(const Function* function, Code* to) {
  enum { longest = 4096, shortest = 16 };  // a run that follows jumps may end anywhere
  UInt count = 0;
  for (const Run* run = function->runs; run; run = run->next) {
    const NSegment* const segment = VG_(am_find_nsegment)(run->address);
    if (loop_joined(run->function) != function || !run->executed || !segment || segment->kind != SkFileC)
      continue;
    const Bool is_straight = run->end > run->address && run->end - run->address <= longest;
    to[count++] = (Code){run->address, run->address - segment->start + segment->offset,
                         is_straight ? run->end - run->address : shortest, NULL};
  }
  VG_(ssort)(to, count, sizeof *to, by_address);
  return count;
}

// Of a function without a symbol, which is all other code of its file: what was executed.
static void write_executed(Json* json, const Function* function) {
  enum { gap = 32 };  // between pieces that are written as one
  UInt runs = 0;
  for (const Run* run = function->runs; run; run = run->next) ++runs;
  Code* const code = VG_(malloc)("gable.code", (runs + 1) * sizeof *code);
  const UInt count = executed_code(function, code);
  for (UInt i = 0; i < count;) {
    const ULong from = code[i].offset;
    ULong to = from;
    for (; i < count && code[i].offset >= from && code[i].offset <= to + gap; ++i)
      to = code[i].offset + code[i].bytes > to ? code[i].offset + code[i].bytes : to;
    json_text(json, "%s[%llu,%llu]", from == code[0].offset ? "" : ",", from, to);
  }
  VG_(free)(code);
}

static void write_code(Json* json, const Code* codes, Bool* is_first) {
  for (const Code* code = codes; code; code = code->next) {
    json_text(json, "%s[%llu,%llu]", *is_first ? "" : ",", code->offset, code->offset + code->bytes);
    *is_first = False;
  }
}

// With that of the loops that were added to it.
void code_write(Json* json, const Function* function) {
  const Function* const whole = function->whole ? function->whole : function;
  Bool is_first = True;
  json_text(json, "[");
  if (!function->code && !function->whole) {
    write_executed(json, function);
  } else {
    write_code(json, function->code, &is_first);
    for (const Function* loop = NULL; (loop = loop_next(whole, loop));) {
      if (loop != function && loop_joined(loop) == function) write_code(json, loop->code, &is_first);
    }
  }
  json_text(json, "]");
}
