// Whether other hardware threads use the cores of some CPUs while programs run on them: crowding CPU...
//
// Every two milliseconds, a thread on each CPU does additions for three microseconds, some that depend on each other and some that
// do not. It prints a line "CPU NUMBER" for each probe: independent additions per cycle, which are fewer while another hardware thread of
// the core computes, even one of another guest (bench/threads/core_probe.hpp). The program ends when its standard input does.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { chain_steps = 250, longer = 4 };  // so that both kinds of additions take about as long
static const uint64_t one = 1;

#define CHANGED(a) "+r"(a)
// Additions of two registers: recent cores do chains of additions of a constant without their adders (Golden Cove).
#if defined(__x86_64__)
#define ADD(a) "add %[one], " a "\n"
#elif defined(__aarch64__)
#define ADD(a) "add " a ", " a ", %[one]\n"
#else
#error "no additions for this architecture"
#endif

#define FOUR(a, b, c, d) ADD(a) ADD(b) ADD(c) ADD(d)
#define EIGHT FOUR("%0", "%1", "%2", "%3") FOUR("%4", "%5", "%6", "%7")
#define CHAIN FOUR("%0", "%0", "%0", "%0") FOUR("%0", "%0", "%0", "%0")

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static double dependent_ns(void) {
  uint64_t a = 0;
  const double begin = now_ns();
  for (int i = 0; i < chain_steps; ++i) __asm__ volatile(CHAIN CHAIN : CHANGED(a) : [one] "r"(one));
  return now_ns() - begin;
}

static double independent_ns(void) {
  uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  const double begin = now_ns();
  for (int i = 0; i < longer * chain_steps; ++i)
    __asm__ volatile(EIGHT EIGHT
                     : CHANGED(a), CHANGED(b), CHANGED(c), CHANGED(d), CHANGED(e), CHANGED(f), CHANGED(g), CHANGED(h)
                     : [one] "r"(one));
  return now_ns() - begin;
}

static void* probe(void* cpu_number) {
  const int cpu = *(int*)cpu_number;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
    perror("sched_setaffinity");
    exit(2);
  }
  // Without the right to this class, a thread that sleeps most of the time is let in soon enough.
  const struct sched_param priority = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &priority);
  for (;;) {
    const struct timespec pause = {.tv_nsec = 2000000};
    nanosleep(&pause, NULL);
    independent_ns();  // warms up the code
    const double before = dependent_ns(), independent = independent_ns(), after = dependent_ns();
    printf("%d %.3f\n", cpu, longer * (before < after ? before : after) / independent);
  }
  return NULL;
}

int main(int count, char** words) {
  int* cpus = calloc(count, sizeof *cpus);
  for (int i = 1; i < count; ++i) {
    pthread_t thread;
    cpus[i] = atoi(words[i]);
    if (pthread_create(&thread, NULL, probe, &cpus[i]) != 0) {
      perror("pthread_create");
      return 2;
    }
  }
  char ignored[64];
  while (read(STDIN_FILENO, ignored, sizeof ignored) > 0) {
  }
  fflush(stdout);
  _exit(0);
}
