#pragma once

// Adds code that updates the tallies to a block of guest code.

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

extern Bool per_function;  // also keep tallies for functions

// The tool interface's `instrument`.
IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* arch, IRType guest_word,
                 IRType host_word);

// First bytes of the last instruction that VEX could not decode; `*bytes` is 0 if there was none.
const UChar* undecodable(UInt* bytes);
