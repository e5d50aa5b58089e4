#pragma once

// Symbols that Valgrind leaves out: variables of which all libraries of a program share one, as C++'s inline
// variables and static members of templates (STB_GNU_UNIQUE).

#include <pub_tool_basics.h>
#include <pub_tool_debuginfo.h>

typedef struct {
  Addr begin;
  SizeT bytes;
  HChar name[512];  // mangled
} UniqueSymbol;

// Whether the address is in such a variable of the program or library.
Bool unique_symbol_at(const DebugInfo* info, Addr address, UniqueSymbol* found);
