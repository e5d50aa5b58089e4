/* Pointer chase: two chains of dependent loads through the same cycle over 2^BITS cache lines, a half of it
 * apart. The cycle is that of a linear congruential generator, so the line where a chain must end is computed
 * without loads. */
#include "program.h"

typedef struct {
  uint64_t next;
  char rest[56];
} Line;

enum { chains = 2 };
static const uint64_t factor = 0x5851f42d4c957f2du,
                      increment = 0x14057b7ef767814fu; /* Knuth's MMIX generator */

/* The line that comes `steps` after `at`: squares the step. */
static uint64_t after(uint64_t at, uint64_t steps, uint64_t mask) {
  uint64_t times = factor, plus = increment;
  for (; steps; steps >>= 1) {
    if (steps & 1) at = at * times + plus;
    plus = plus * (times + 1);
    times = times * times;
  }
  return at & mask;
}

int main(int argc, char** argv) {
  const char* usage = "chase BITS STEPS";
  const uint64_t lines = 1ull << argument(argc, argv, 1, 2, usage), mask = lines - 1;
  const uint64_t steps = (uint64_t)argument(argc, argv, 2, 1, usage);
  Line* cycle = allocate(lines, sizeof *cycle);
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < lines; ++i) cycle[i].next = (i * factor + increment) & mask;
  uint64_t ends[chains];
  gable_marker_start("chase");
#pragma omp parallel for schedule(static, 1)
  for (int chain = 0; chain < chains; ++chain) {
    uint64_t at = after(0, (uint64_t)chain * (lines / chains), mask);
    for (uint64_t i = 0; i < steps; ++i) at = cycle[at].next;
    ends[chain] = at;
  }
  gable_marker_stop("chase");
  int right = 1;
  for (int chain = 0; chain < chains; ++chain)
    right &= ends[chain] == after(0, (uint64_t)chain * (lines / chains) + steps, mask);
  printf("chase: from line 0 to %llu in %llu steps", (unsigned long long)ends[0], (unsigned long long)steps);
  return verdict(right);
}
