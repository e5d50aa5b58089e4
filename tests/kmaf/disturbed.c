// Programs that are difficult to manage. Each prints its result, which is the same in every run.
//   disturbed threads N   N threads, a few at a time, each with its part of a sum
//   disturbed forks N     N child processes, which return their parts in shared memory
//   disturbed exec N      executes itself N times
//   disturbed handler N   N faults that its own SIGSEGV handler resolves
//   disturbed stacks N    N threads whose stacks are on the heap
//   disturbed busy N      N milliseconds of work in one thread
//   disturbed until FILE  the same until FILE exists
//   disturbed read N      reads N MiB of /dev/zero into fresh memory
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { at_a_time = 8, page = 4096, pages = 32, stack_bytes = 256 << 10 };

static uint64_t part(uint64_t seed) {
  unsigned char* const memory = malloc(pages * page);
  uint64_t sum = seed;
  if (!memory) _exit(1);
  for (int i = 0; i < pages * page; ++i) memory[i] = (unsigned char)(sum = sum * 6364136223846793005u + 1);
  for (int i = 0; i < pages * page; ++i) sum += memory[i];
  free(memory);
  return sum;
}

static void* run_part(void* argument) {
  uint64_t* const value = argument;
  *value = part(*value);
  return NULL;
}

static uint64_t threads(int count, int own_stacks) {
  uint64_t sum = 0;
  for (int done = 0; done < count; done += at_a_time) {
    pthread_t all[at_a_time];
    uint64_t values[at_a_time];
    char* const stacks = own_stacks ? aligned_alloc(page, at_a_time * stack_bytes) : NULL;
    for (int i = 0; i < at_a_time; ++i) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      if (stacks) pthread_attr_setstack(&attributes, stacks + (size_t)i * stack_bytes, stack_bytes);
      values[i] = (uint64_t)(done + i);
      if (pthread_create(&all[i], &attributes, run_part, &values[i]) != 0) exit(1);
      pthread_attr_destroy(&attributes);
    }
    for (int i = 0; i < at_a_time; ++i) {
      pthread_join(all[i], NULL);
      sum += values[i];
    }
    free(stacks);
  }
  return sum;
}

static uint64_t forks(int count) {
  uint64_t* const values =
      mmap(NULL, (size_t)count * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  uint64_t sum = 0;
  if (values == MAP_FAILED) exit(1);
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
      values[i] = part((uint64_t)i);
      _exit(0);
    }
    if (i % at_a_time == 0) waitpid(child, NULL, 0);
  }
  while (wait(NULL) > 0) continue;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

static char* guarded;

static void mend(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  char* const at = (char*)((uintptr_t)info->si_addr & ~(uintptr_t)(page - 1));
  if (at < guarded || at >= guarded + pages * page) _exit(3);
  mprotect(at, page, PROT_READ | PROT_WRITE);
}

static uint64_t handler(int count) {
  struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO};
  uint64_t sum = 0;
  sigaction(SIGSEGV, &action, NULL);
  guarded = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < count; ++i) {
    mprotect(guarded, pages * page, PROT_NONE);
    for (int j = 0; j < pages; ++j) sum += (uint64_t)++guarded[j * page];
  }
  return sum;
}

static uint64_t busy(int milliseconds) {
  struct timespec begin, now;
  const uint64_t sum = part(1);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    if (part(1) != sum) exit(4);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < milliseconds);
  return sum;
}

static uint64_t until(const char* file) {
  const uint64_t sum = part(1);
  while (access(file, F_OK) != 0) {
    if (part(1) != sum) exit(4);
  }
  return sum;
}

static uint64_t reads(int mib) {
  const int zero = open("/dev/zero", O_RDONLY);
  uint64_t sum = 0;
  for (int i = 0; i < mib; ++i) {
    char* const memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int again = 0; again < 4; ++again) {
      const ssize_t got = read(zero, memory, 1 << 20);
      if (got != 1 << 20) exit(5);
      sum += (uint64_t)got;
    }
    munmap(memory, 1 << 20);
  }
  return sum;
}

int main(int count, char** words) {
  if (count < 3) return 2;
  const int n = atoi(words[2]);
  uint64_t result = 0;
  if (strcmp(words[1], "threads") == 0) result = threads(n, 0);
  if (strcmp(words[1], "stacks") == 0) result = threads(n, 1);
  if (strcmp(words[1], "forks") == 0) result = forks(n);
  if (strcmp(words[1], "handler") == 0) result = handler(n);
  if (strcmp(words[1], "busy") == 0) result = busy(n);
  if (strcmp(words[1], "until") == 0) result = until(words[2]);
  if (strcmp(words[1], "read") == 0) result = reads(n);
  if (strcmp(words[1], "exec") == 0) {
    result = part((uint64_t)n);
    char less[16];
    snprintf(less, sizeof less, "%d", n - 1);
    printf("%llu ", (unsigned long long)result);
    fflush(stdout);
    if (n > 0) execl("/proc/self/exe", words[0], words[1], less, (char*)NULL);
  }
  printf("%llu\n", (unsigned long long)result);
  return 0;
}
