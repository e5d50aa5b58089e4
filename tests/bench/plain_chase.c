// A plain pointer chase, for comparison: a random cycle through the cache lines of a buffer (Sattolo's shuffle), followed
// by one thread on one CPU. Prints the median nanoseconds of an access.
//
//   plain_chase BYTES CPU 4k|2m

#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { line = 64, steps = 16, visits = 201 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static char* buffer_of(size_t bytes, int huge) {
  const size_t page = 2u << 20;
  char* raw = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  char* data = (char*)(((uintptr_t)raw + page - 1) / page * page);
  madvise(data, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  memset(data, 1, bytes);
  return data;
}

static void link_randomly(char* data, size_t lines) {
  size_t* order = malloc(lines * sizeof *order);
  for (size_t i = 0; i < lines; ++i) order[i] = i;
  uint64_t seed = 88172645463325252u;
  for (size_t i = lines - 1; i > 0; --i) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    const size_t j = seed % i, kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  for (size_t i = 0; i < lines; ++i) *(void**)(data + order[i] * line) = data + order[(i + 1) % lines] * line;
  free(order);
}

int main(int argc, char** argv) {
  if (argc != 4) return fprintf(stderr, "usage: plain_chase BYTES CPU 4k|2m\n"), 2;
  const size_t bytes = strtoull(argv[1], NULL, 10), lines = bytes / line;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(atoi(argv[2]), &set);
  sched_setaffinity(0, sizeof set, &set);
  char* data = buffer_of(bytes, strcmp(argv[3], "2m") == 0);
  link_randomly(data, lines);
  void** at = (void**)data;
  for (size_t i = 0; i < 2 * lines; ++i) at = *at;
  static double ns[visits];
  const size_t rounds = 2000;
  for (int v = 0; v < visits; ++v) {
    const double begin = now_ns();
    for (size_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
      for (int s = 0; s < steps; ++s) at = *at;
    }
    ns[v] = (now_ns() - begin) / (double)(rounds * steps);
  }
  qsort(ns, visits, sizeof *ns, ascending);
  printf("%.3f %p\n", ns[visits / 2], (void*)at);
  return 0;
}
