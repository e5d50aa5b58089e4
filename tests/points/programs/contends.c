// contends HOW COUNT: two threads that begin together use
//   apart     a counter each, on one line
//   same      one counter
//   table     a table of counters on one line, each of which both threads increment in an order of its own
//   padded    a counter each, on lines of their own
//   read      one number, which nobody writes
//   handed    an array in turns: one thread writes it, then the other one reads it
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { line = 8, handed_numbers = 512 };  // in numbers

static _Alignas(64) volatile long counters[2 * line];
static _Alignas(64) volatile long passed[handed_numbers];
static const char* how;
static long count;
static pthread_barrier_t barrier;

__attribute__((noinline, noclone)) static void add(volatile long* to) {
  for (long i = 0; i < count; ++i) ++*to;
}

__attribute__((noinline, noclone)) static void add_to_table(unsigned long random) {
  for (long i = 0; i < count; ++i) {
    random = random * 6364136223846793005 + 1442695040888963407;
    ++counters[random >> 61];
  }
}

__attribute__((noinline, noclone)) static long read_often(const volatile long* from) {
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += *from;
  return sum;
}

__attribute__((noinline, noclone)) static void hand_over(int thread) {
  for (long i = 0; i < count / handed_numbers; ++i) {
    for (int k = 0; k < handed_numbers && i % 2 == thread; ++k) passed[k] = passed[k] + i;
    pthread_barrier_wait(&barrier);
  }
}

static void* run(void* argument) {
  const int thread = argument != NULL;
  pthread_barrier_wait(&barrier);
  if (strcmp(how, "apart") == 0) add(&counters[thread]);
  if (strcmp(how, "same") == 0) add(&counters[0]);
  if (strcmp(how, "table") == 0) add_to_table((unsigned long)thread);
  if (strcmp(how, "padded") == 0) add(&counters[thread * line]);
  if (strcmp(how, "read") == 0 && read_often(&counters[0]) != 0) return argument;
  if (strcmp(how, "handed") == 0) hand_over(thread);
  return NULL;
}

int main(int words, char** arguments) {
  if (words != 3) return 2;
  how = arguments[1];
  count = atol(arguments[2]);
  pthread_t other;
  if (pthread_barrier_init(&barrier, NULL, 2) != 0 || pthread_create(&other, NULL, run, &barrier) != 0)
    return 2;
  run(NULL);
  return pthread_join(other, NULL);
}
