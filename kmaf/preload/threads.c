/* What the program does that protected pages would make fail, in front of its C library: threads are listed
   before they run, and the process is left alone before it has threads on stacks of its own, or mutexes that
   the kernel does not wait for. */
#define _GNU_SOURCE
#include <threads.h>

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "handover.h"

#define NEXT RTLD_NEXT
#define EXPORT __attribute__((visibility("default")))
#pragma weak pthread_attr_getstack

enum { most_starts = 1024 };

/* A thread that is about to begin, until it has. */
struct start {
  int taken;
  void* (*run)(void*);
  int (*run_c11)(void*);
  void* argument;
};

static struct start starts[most_starts];

static struct start* take_start(void) {
  for (int i = 0; i < most_starts; ++i) {
    int no = 0;
    if (__atomic_compare_exchange_n(&starts[i].taken, &no, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return &starts[i];
  }
  return NULL;
}

static struct start started(struct start* from) {
  const struct start copy = *from;
  __atomic_store_n(&from->taken, 0, __ATOMIC_RELEASE);
  struct gable_threads* const threads = list();
  if (threads) {
    add_thread(threads);
    __atomic_fetch_sub(&threads->creating, 1, __ATOMIC_ACQ_REL);
  }
  return copy;
}

static void* run_start(void* start) {
  const struct start copy = started(start);
  return copy.run(copy.argument);
}

static int run_start_c11(void* start) {
  const struct start copy = started(start);
  return copy.run_c11(copy.argument);
}

/* A slot of `starts`, and the thread counted as one that is being made; NULL where it is made as it is. */
static struct start* announce(int own_stack) {
  begin();
  struct gable_threads* const threads = list();
  if (!threads) return NULL;
  const int left = own_stack || __atomic_load_n(&threads->left, __ATOMIC_ACQUIRE) != 0;
  struct start* const start = left ? NULL : take_start();
  if (!start)
    leave_alone();
  else
    __atomic_fetch_add(&threads->creating, 1, __ATOMIC_ACQ_REL);
  return start;
}

static void withdraw(struct start* start) {
  __atomic_store_n(&start->taken, 0, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&list()->creating, 1, __ATOMIC_ACQ_REL);
}

static int has_own_stack(const pthread_attr_t* attributes) {
  void* at = NULL;
  size_t bytes = 0;
  if (!attributes || pthread_attr_getstack(attributes, &at, &bytes) != 0) return 0;
  return (uintptr_t)at + bytes != 0; /* without one its end is 0 */
}

EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                          void* argument) {
  static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!next)
    next = (int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*))dlsym(NEXT, "pthread_create");
  if (!next) return EAGAIN;
  struct start* const start = announce(has_own_stack(attributes));
  if (!start) return next(thread, attributes, run, argument);
  start->run = run;
  start->argument = argument;
  const int error = next(thread, attributes, run_start, start);
  if (error) withdraw(start);
  return error;
}

EXPORT int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
  static int (*next)(thrd_t*, thrd_start_t, void*);
  if (!next) next = (int (*)(thrd_t*, thrd_start_t, void*))dlsym(NEXT, "thrd_create");
  if (!next) return thrd_error;
  struct start* const start = announce(0);
  if (!start) return next(thread, run, argument);
  start->run_c11 = run;
  start->argument = argument;
  const int result = next(thread, run_start_c11, start);
  if (result != thrd_success) withdraw(start);
  return result;
}

/* The kernel does not wait for a page when it locks a mutex with priority inheritance, or marks a robust one
   whose owner has ended. */
#define LEAVES_FIRST(function)                                                            \
  EXPORT int function(pthread_mutexattr_t* attributes, int kind) {                        \
    static int (*next)(pthread_mutexattr_t*, int);                                        \
    begin();                                                                              \
    if (!next) next = (int (*)(pthread_mutexattr_t*, int))dlsym(NEXT, #function);         \
    if (!next) return ENOTSUP;                                                            \
    if (kind != 0) leave_alone(); /* PTHREAD_PRIO_NONE and PTHREAD_MUTEX_STALLED are 0 */ \
    return next(attributes, kind);                                                        \
  }

LEAVES_FIRST(pthread_mutexattr_setprotocol)
LEAVES_FIRST(pthread_mutexattr_setrobust)
/* The name that older programs know it by. */
EXPORT int old_setrobust(pthread_mutexattr_t*, int) __asm__("pthread_mutexattr_setrobust_np")
    __attribute__((alias("pthread_mutexattr_setrobust"), copy(pthread_mutexattr_setrobust)));

/* What is loaded so calls its C library past what stands here, and the threads that it makes are not listed.
 */
static void before_loading(const char* file, int mode, int apart) {
  begin();
  if (apart || (mode & RTLD_DEEPBIND))
    leave_alone();
  else if (file && !(mode & RTLD_NOLOAD))
    hold_still(); /* it may be a device's */
}

/* The C library looks where the call came from: these end by a jump, and are not in between. */
EXPORT void* dlopen(const char* file, int mode) {
  static void* (*next)(const char*, int);
  if (!next) next = (void* (*)(const char*, int))dlsym(NEXT, "dlopen");
  if (!next) return NULL;
  before_loading(file, mode, 0);
  return next(file, mode);
}

EXPORT void* dlmopen(Lmid_t space, const char* file, int mode) {
  static void* (*next)(Lmid_t, const char*, int);
  if (!next) next = (void* (*)(Lmid_t, const char*, int))dlsym(NEXT, "dlmopen");
  if (!next) return NULL;
  before_loading(file, mode, space != LM_ID_BASE);
  return next(space, file, mode);
}
