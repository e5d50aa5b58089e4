/* What the programs of this folder share: arguments, memory, numbers that look random, and the verdict. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <gable-marker.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The argument at `index` as a whole number of `least` or more; otherwise the program ends with `usage`. */
static inline long argument(int argc, char** argv, int index, long least, const char* usage) {
  char* end = "";
  const long value = index < argc ? strtol(argv[index], &end, 10) : 0;
  if (index < argc && *end == '\0' && end != argv[index] && value >= least) return value;
  fprintf(stderr, "usage: %s\n", usage);
  exit(2);
}

/* Memory for an array, on a cache line of its own. It is inlined, so that profilers see the call in the line
 * that names the array. */
__attribute__((always_inline)) static inline void* allocate(size_t count, size_t size) {
  void* made = aligned_alloc(64, (count * size + 63) / 64 * 64);
  if (made) return made;
  fprintf(stderr, "no memory for %zu bytes\n", count * size);
  exit(1);
}

/* The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a permutation of the numbers of 64 bits. */
static inline uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Prints the verdict at the end of the line; returns the exit status. */
static inline int verdict(int is_right) {
  printf(", %s\n", is_right ? "right" : "WRONG");
  return !is_right;
}

#endif
