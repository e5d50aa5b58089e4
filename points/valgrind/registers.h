#pragma once

// Registers of the guest by their offset in its state.

#include <pub_tool_basics.h>

#include "guest.h"

static inline Bool is_vector(Int offset) {
  return offset >= first_vector && offset < first_vector + vectors * vector_bytes;
}
