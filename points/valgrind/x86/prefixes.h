#pragma once

// Prefixes of instructions (Intel SDM volume 2, sections 2.1.1 and 2.3.5).

#include <pub_tool_basics.h>

// First byte after segment, size and repeat prefixes.
const UChar* after_legacy_prefixes(const UChar* code);
