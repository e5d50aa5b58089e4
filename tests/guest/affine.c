// Runs in the guest: eight threads on four nodes (or THREADS on NODES), whose data are on node 0 at first.
//   affine private SECONDS  each thread uses its own data, until 95 % of the pages are on the node of the
//                           thread that uses them
//   affine phases SECONDS   the same; then every thread takes over another's data, until the same holds again
//   affine ring SECONDS     each thread uses its own data and its successor's, until as many threads as
//                           possible share a node with their successor. Neighbours in the ring are unrelated
//                           to the order in which threads are created, and begin on different nodes
// With "on" at the end it continues until the time is up. Prints "MODE PHASE reached COUNT of ALL after
// SECONDS s" for each phase, or "missed" when the time was up.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 8
#define NODES 4
#endif

enum { threads = THREADS, nodes = NODES, pages = 64, page = 4096, steady = 3 };

static char* data;  // of all threads
static double limit;
static char mode;
static int goes_on;
static atomic_int phase, local_pages[threads], node_of[threads];
static volatile long sink;
static pthread_barrier_t all_began;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static char* data_of(int thread) {
  return data + (size_t)(thread % threads) * pages * page;
}

static void use(int thread) {
  long sum = 0;
  for (int i = 0; i < pages; ++i) {
    char* const at = data_of(thread) + (size_t)i * page;
    for (int line = 0; line < page; line += 64) sum += ++at[line];
#ifdef __x86_64__
    __builtin_ia32_pause();  // an emulated CPU yields to the next one
#else
    __asm__ volatile("yield");
#endif
  }
  sink += sum;
}

// How many of the pages that the thread uses are on its node. The thread itself checks, because another one
// would appear to use them.
static void look(int thread, int whose) {
  unsigned cpu = 0, node = 0;
  void* at[pages];
  int status[pages], here = 0;
  syscall(SYS_getcpu, &cpu, &node, NULL);
  for (int i = 0; i < pages; ++i) {
    at[i] = data_of(whose) + (size_t)i * page;
    sink += *(volatile char*)at[i];  // move_pages cannot find a hidden page
  }
  syscall(SYS_move_pages, 0, (long)pages, at, NULL, status, 0);
  for (int i = 0; i < pages; ++i) here += status[i] == (int)node;
  local_pages[thread] = here;
  node_of[thread] = (int)node;
}

static int reached(void) {
  int count = 0;
  for (int thread = 0; thread < threads; ++thread)
    count += mode == 'r' ? node_of[thread] == node_of[(thread + 1) % threads] : local_pages[thread];
  return count;
}

// Thread 0 evaluates the results of all threads.
static void judge(void) {
  static double began, looked;
  static int held;
  const int all = mode == 'r' ? threads - nodes : threads * pages;
  const int enough = mode == 'r' ? all : all * 95 / 100;
  const double time = now();
  if (began == 0) began = looked = time;
  if (time - looked < 0.5) return;
  looked = time;
  const int count = reached();
  held = count >= enough ? held + 1 : 0;
  if ((held < steady || goes_on) && time - began < limit) return;
  printf("%s %d %s %d of %d after %.1f s\n",
         mode == 'r'   ? "ring"
         : mode == 'p' ? "private"
                       : "phases",
         phase + 1, held >= steady ? "reached" : "missed", count, all, time - began);
  fflush(stdout);
  held = 0;
  began = time;
  phase = mode == 'h' && phase == 0 ? 1 : 2;
}

// In the ring, each thread begins on a CPU of its own, and no neighbours share a node, so that chance does not
// reach the goal. Afterwards every thread may run anywhere. (In the other modes a thread is never bound: the
// oracle binds threads as they start, and leaves those that have a mask of their own.)
static void begin_apart(int thread) {
  cpu_set_t everywhere, own;
  sched_getaffinity(0, sizeof everywhere, &everywhere);
  CPU_ZERO(&own);
  CPU_SET(thread % nodes * (threads / nodes) + thread / nodes, &own);
  sched_setaffinity(0, sizeof own, &own);
  pthread_barrier_wait(&all_began);
  sched_setaffinity(0, sizeof everywhere, &everywhere);
}

static void* run(void* argument) {
  const int made = (int)(long)argument;
  const int thread = mode == 'r' ? made * 5 % threads : made;  // 0 5 2 7 4 1 6 3
  if (mode == 'r') begin_apart(thread);
  double looked = 0;
  while (phase < 2) {
    const int whose = phase == 0 ? thread : thread + threads / 2 + 1;
    use(whose);
    if (mode == 'r') use(thread + 1);
    if (now() - looked > 0.25) {
      look(thread, whose);
      looked = now();
    }
    if (thread == 0) judge();
  }
  return NULL;
}

// Touches all data on node 0, wherever the thread runs: the kernel's own balancing cannot be kept from moving
// pages there (hold_pages). The pages keep no policy.
static void touch(size_t bytes) {
  enum { default_policy = 0, bind = 2 };
  const unsigned long node_0 = 1;
  syscall(SYS_set_mempolicy, bind, &node_0, 8 * sizeof node_0);
  memset(data, 1, bytes);
  syscall(SYS_set_mempolicy, default_policy, NULL, 0ul);
}

int main(int count, char** words) {
  if (count != 3 && count != 4) return 2;
  mode = strcmp(words[1], "phases") == 0 ? 'h' : words[1][0];
  limit = atof(words[2]);
  const size_t bytes = (size_t)threads * pages * page;
  data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return 1;
  madvise(data, bytes, MADV_NOHUGEPAGE);
  touch(bytes);
  goes_on = count == 4 && strcmp(words[3], "on") == 0;
  pthread_barrier_init(&all_began, NULL, threads);
  pthread_t all[threads];
  for (long i = 1; i < threads; ++i) {
    if (pthread_create(&all[i], NULL, run, (void*)i) != 0) return 1;
  }
  run(NULL);
  for (int i = 1; i < threads; ++i) pthread_join(all[i], NULL);
  return 0;
}
