// Runs in the guest: stays NODE SECONDS. A thread that is bound to the CPU of the second node uses four
// regions of 512 pages:
//   far_bound   on NODE, by the policy of the mapping; the thread touches a page of it now and then
//   far_free    on NODE, without a policy any more
//   near_bound  on the first node, by the policy of the mapping; touched like far_bound
//   near_free   on the first node, without a policy
// Prints for each the number of its pages on NODE, on the first and on the second node, when the time is up.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { pages = 512, page = 4096, bind = 2, regions = 4 };
enum { far_bound, far_free, near_bound, near_free };
static const char* const names[regions] = {"far_bound", "far_free", "near_bound", "near_free"};
static char* memory[regions];
static double limit;
static int far_node;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void touch(int region, int from, int to) {
  for (int i = from; i < to; ++i) {
    ++*(volatile char*)(memory[region] + (size_t)i * page);
#ifdef __x86_64__
    __builtin_ia32_pause();  // an emulated CPU yields to the next one
#else
    __asm__ volatile("yield");
#endif
  }
}

static void run_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

// The kernel cannot find a page that it hides until the page is accessed.
static void tell(int region) {
  int count[3] = {0, 0, 0};
  for (int i = 0; i < pages; ++i) {
    void* at = memory[region] + (size_t)i * page;
    int status = -1;
    touch(region, i, i + 1);
    syscall(SYS_move_pages, 0, 1L, &at, NULL, &status, 0);
    if (status == far_node) ++count[0];
    if (status == 0) ++count[1];
    if (status == 1) ++count[2];
  }
  printf("%s far %d first %d second %d\n", names[region], count[0], count[1], count[2]);
}

static void* use(void* nothing) {
  run_on(2);
  const double began = now();
  for (int touched = 0; now() - began < limit;) {
    const int due = (int)((now() - began) / limit * pages);
    touch(far_bound, touched, due);
    touch(near_bound, touched, due);
    touched = due;
    touch(far_free, 0, pages);
    touch(near_free, 0, pages);
  }
  for (int i = 0; i < regions; ++i) tell(i);
  return nothing;
}

int main(int count, char** words) {
  if (count != 3) return 2;
  far_node = atoi(words[1]);
  const unsigned long far_mask = 1ul << far_node, first_mask = 1;
  limit = atof(words[2]);
  const size_t bytes = (size_t)pages * page;
  char* const all =
      mmap(NULL, (regions + 1) * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 1;
  madvise(all, (regions + 1) * bytes, MADV_NOHUGEPAGE);
  char* const first =
      (char*)(((uintptr_t)all + bytes - 1) / bytes * bytes);  // each region is a unit of 2 MiB
  for (int i = 0; i < regions; ++i) memory[i] = first + (size_t)i * bytes;
  run_on(0);
  if (syscall(SYS_mbind, memory[far_bound], bytes, bind, &far_mask, 64, 0) != 0) return 1;
  if (syscall(SYS_mbind, memory[near_bound], bytes, bind, &first_mask, 64, 0) != 0) return 1;
  if (syscall(SYS_set_mempolicy, bind, &far_mask, 64) != 0) return 1;
  touch(far_free, 0, pages);
  if (syscall(SYS_set_mempolicy, 0, NULL, 0) != 0) return 1;
  touch(near_free, 0, pages);
  pthread_t thread;
  if (pthread_create(&thread, NULL, use, NULL) != 0) return 1;
  return pthread_join(thread, NULL);
}
