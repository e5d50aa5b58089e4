// Runs in the guest: threads whose data all lie where the first one touched them.
//   affine private SECONDS  each thread uses data of its own
//   affine ring SECONDS     each thread uses its own data and its successor's; threads are numbered against the
//                           order in which they are made
//   affine phases SECONDS   as private, but at half the time every thread takes over another's data
// In the end: "local PAGES OF" counts the pages that lie on the node their user runs on, and "neighbours PAIRS OF"
// the threads that run on the node of their successor.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { threads = 8, pages = 64, page = 4096 };

static char* data;  // of all threads
static double seconds;
static int mode;  // the first letter of the word
static double began;
static unsigned node_of_thread[threads];
static pthread_barrier_t barrier;
static volatile long sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static char* data_of(int thread) {
  return data + (size_t)(thread % threads) * pages * page;
}

// Whose data the thread uses now.
static int used_by(int thread) {
  return mode == 'p' || now() - began < seconds / 2 ? thread : thread + threads / 2 + 1;
}

static void use(int thread) {
  long sum = 0;
  for (int i = 0; i < pages; ++i) {
    char* const at = data_of(thread) + (size_t)i * page;
    for (int line = 0; line < page; line += 64) sum += ++at[line];
  }
  sink += sum;
}

static void* run(void* argument) {
  // 0 5 2 7 4 1 6 3: threads that are made one after the other are no neighbours.
  const int thread = mode == 'r' ? (int)(long)argument * 5 % threads : (int)(long)argument;
  while (now() - began < seconds) {
    use(mode == 'h' ? used_by(thread) : thread);
    if (mode == 'r') use(thread + 1);
  }
  unsigned cpu = 0;
  syscall(SYS_getcpu, &cpu, &node_of_thread[thread], NULL);
  pthread_barrier_wait(&barrier);
  return NULL;
}

static void report(void) {
  int local = 0, neighbours = 0;
  for (int thread = 0; thread < threads; ++thread) {
    const int whose = mode == 'h' ? used_by(thread) % threads : thread;
    void* at[pages];
    int status[pages];
    for (int i = 0; i < pages; ++i) {
      at[i] = data_of(whose) + (size_t)i * page;
      sink += *(volatile char*)at[i];  // a page that is hidden cannot be found
    }
    syscall(SYS_move_pages, 0, (long)pages, at, NULL, status, 0);
    int here = 0;
    for (int i = 0; i < pages; ++i) here += status[i] == (int)node_of_thread[thread];
    printf("thread %d node %u pages %d\n", thread, node_of_thread[thread], here);
    local += here;
    neighbours += node_of_thread[thread] == node_of_thread[(thread + 1) % threads];
  }
  printf("local %d %d\nneighbours %d %d\n", local, threads * pages, neighbours, threads);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  mode = strcmp(words[1], "phases") == 0 ? 'h' : words[1][0];
  seconds = atof(words[2]);
  data = mmap(NULL, (size_t)threads * pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return 1;
  madvise(data, (size_t)threads * pages * page, MADV_NOHUGEPAGE);
  memset(data, 1, (size_t)threads * pages * page);
  pthread_barrier_init(&barrier, NULL, threads);
  began = now();
  pthread_t all[threads];
  for (long i = 1; i < threads; ++i) {
    if (pthread_create(&all[i], NULL, run, (void*)i) != 0) return 1;
  }
  run(NULL);
  for (int i = 1; i < threads; ++i) pthread_join(all[i], NULL);
  report();
  return 0;
}
