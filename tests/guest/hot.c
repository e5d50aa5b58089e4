// Runs in the guest: half of its pages are on the node of CPU 0, half on that of the CPU that is given, and
// three quarters of its accesses to memory are to the latter: hot CPU SECONDS. The seconds are a sleep at the end,
// so that its pages are seen.
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { mib = 1 << 20, bytes = 24 * mib, line = 64 };

static void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set)) exit(1);
}

static long use(volatile char* data, int times) {
  long sum = 0;
  for (int i = 0; i < times; ++i) {
    for (long at = 0; at < bytes; at += line) sum += ++data[at];
  }
  return sum;
}

int main(int count, char** arguments) {
  run_on(0);
  char* const cold = malloc(bytes);
  long sum = use(cold, 1);
  run_on(count > 1 ? atoi(arguments[1]) : 0);
  char* const hot = malloc(bytes + mib);
  sum += use(hot, 3);
  sleep(count > 2 ? (unsigned)atoi(arguments[2]) : 0);
  return sum == 0;
}
