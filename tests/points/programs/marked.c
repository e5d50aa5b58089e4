// marked HOW: regions with exactly known work, in one thread or four. An element is one
// multiplication and one addition of doubles, 16 bytes loaded and 8 stored; `elements` executes N of them.

#include <gable-marker.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

enum { threads = 4, n = 1000 };

static pthread_barrier_t together, two;

// The code uses only registers, except for the three accesses.
static inline __attribute__((always_inline)) void elements(long count) {
  static double data[threads * 8];
  const double* a = data;
#ifdef __aarch64__
  __asm__ volatile(
      "1: ldr d0, [%1]\n\t"
      "fmul d0, d0, d0\n\t"
      "ldr d1, [%1, #8]\n\t"
      "fadd d0, d0, d1\n\t"
      "str d0, [%1, #16]\n\t"
      "subs %0, %0, #1\n\t"
      "b.ne 1b"
      : "+r"(count)
      : "r"(a)
      : "v0", "v1", "cc", "memory");
#else
  __asm__ volatile(
      "1: movsd (%1), %%xmm0\n\t"
      "mulsd %%xmm0, %%xmm0\n\t"
      "addsd 8(%1), %%xmm0\n\t"
      "movsd %%xmm0, 16(%1)\n\t"
      "dec %0\n\t"
      "jnz 1b"
      : "+r"(count)
      : "r"(a)
      : "xmm0", "cc", "memory");
#endif
}

// `outer` does 3 N elements, N of them in `inner`.
static void* nested(void* unused) {
  gable_marker_start("outer");
  elements(n);
  gable_marker_start("inner");
  elements(n);
  gable_marker_work(1, 1, 1);
  gable_marker_stop("inner");
  elements(n);
  gable_marker_stop("outer");
  return unused;
}

static void* unmarked(void* unused) {
  elements(n);
  return unused;
}

// All but the first thread work while only the first is inside.
static void* beside(void* number) {
  if (!number) gable_marker_start("shared");
  pthread_barrier_wait(&together);
  if (number) elements(n);
  pthread_barrier_wait(&together);
  if (!number) gable_marker_stop("shared");
  pthread_barrier_wait(&together);
  gable_marker_start("shared");
  elements(n);
  gable_marker_stop("shared");
  return NULL;
}

// One thread is in the marker's code, where it executes N elements, while another opens a region; then it
// works.
static void* interrupted(void* unused) {
  gable_marker_enter();
  elements(n);
  pthread_barrier_wait(&two);
  pthread_barrier_wait(&two);
  elements(n);
  gable_marker_leave(GABLE_MARKER_LEAVE, "");
  elements(3 * n);
  return unused;
}

static void opens_meanwhile(void) {
  pthread_t id;
  pthread_create(&id, NULL, interrupted, NULL);
  pthread_barrier_wait(&two);
  gable_marker_start("meanwhile");
  pthread_barrier_wait(&two);
  pthread_join(id, NULL);
  elements(n);
  gable_marker_stop("meanwhile");
}

static void in_threads(void* (*work)(void*)) {
  pthread_t ids[threads];
  for (long i = 1; i < threads; ++i) pthread_create(&ids[i], NULL, work, (void*)i);
  work(NULL);
  for (long i = 1; i < threads; ++i) pthread_join(ids[i], NULL);
}

int main(int count, char** arguments) {
  const char* const how = count > 1 ? arguments[1] : "";
  pthread_barrier_init(&together, NULL, threads);
  pthread_barrier_init(&two, NULL, 2);
  if (strcmp(how, "one") == 0) nested(NULL);
  if (strcmp(how, "threads") == 0) in_threads(nested);
  if (strcmp(how, "beside") == 0) in_threads(beside);
  if (strcmp(how, "meanwhile") == 0) opens_meanwhile();
  if (strcmp(how, "library") == 0) {
    gable_marker_start("library");
    in_threads(unmarked);
    gable_marker_stop("library");
  }
  if (strcmp(how, "twice") == 0) {
    gable_marker_start("twice");
    nested(NULL);
    gable_marker_start("twice");
    elements(n);
    gable_marker_stop("twice");
    gable_marker_stop("twice");
    nested(NULL);
  }
  if (strcmp(how, "fork") == 0) {
    gable_marker_start("parent");
    elements(n);
    if (fork() == 0) {
      nested(NULL);
      exit(0);
    }
    wait(NULL);
    gable_marker_stop("parent");
  }
  if (strcmp(how, "open") == 0) gable_marker_start("left open");
  return 0;
}
