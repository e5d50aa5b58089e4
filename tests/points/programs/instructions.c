// instructions TIMES: executes every function of instructions.S.

#include <stdlib.h>

typedef void function(char* memory, char* more);
extern function* const first_instruction[];
extern function* const last_instruction[];

int main(int count, char** arguments) {
  static char memory[4096] __attribute__((aligned(64))), more[4096] __attribute__((aligned(64)));
  const long times = count > 1 ? atol(arguments[1]) : 1;
  for (long i = 0; i < times; ++i) {
    for (function* const* each = first_instruction; each != last_instruction; ++each) (*each)(memory, more);
  }
  return 0;
}
