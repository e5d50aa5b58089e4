#include "points/valgrind/fma.h"

// VEX emits the CPU's own instruction on this architecture, so nothing is replaced.
void fma_begin(Addr address, UInt bytes) {
  (void)address, (void)bytes;
}

Bool fma_replaces(const IRStmt* statement) {
  (void)statement;
  return False;
}

void fma_end(IRSB* out) {
  (void)out;
}
