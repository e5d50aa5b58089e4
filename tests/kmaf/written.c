// A program whose writes are known, and which does what is hard on whoever protects its pages. Each mode goes
// on for so many milliseconds and then prints "right", or says on standard error what was not.
//   written pages MS   three threads, each bound to a hardware thread, write one byte of each of their pages;
//   prints before the
//                      end "TID PU FIRST-PAGE PAGES BYTE" for each
//   written reads MS   pread(2) into memory, with signals all the time; prints "TID 0 FIRST-PAGE PAGES -1"
//   written joins MS   threads that end at once and are joined, while little else is in memory
//   written c11 MS     the same by thrd_create
//   written mutexes MS threads that contend for a mutex with priority inheritance
//   written spawns MS  posix_spawn, fork and threads that write meanwhile
//   written huge MS    transparent huge pages, in a child too; prints "TID 0 FIRST-PAGE PAGES -1"
//   written leaves MS  two threads set a mutex to priority inheritance, and a third is made on a signal
//   meanwhile written deep MS    a library whose threads are made past the PLT; loads, apart: as usual, in a
//   namespace of
//                      its own
//   written grows MS   memory that mremap makes larger, again and again
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { page = 4096, pages = 64, writers = 3 };

static double until;
static atomic_int stop;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "written: %s: %s\n", what, strerror(errno));
  _exit(1);
}

static unsigned char* memory(size_t bytes) {
  unsigned char* const at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(at != MAP_FAILED, "mmap");
  madvise(at, bytes, MADV_NOHUGEPAGE);
  memset(at, 1, bytes);
  return at;
}

static void say(const unsigned char* at, int pu, int byte) {
  printf("%d %d %lu %d %d\n", gettid(), pu, (unsigned long)at, pages, byte);
}

static void* write_pages(void* argument) {
  const int number = (int)(long)argument;
  unsigned char* const at = memory(pages * page);
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  int pu = -1;
  for (int i = 0, left = number % CPU_COUNT(&all); pu < 0; ++i) {
    if (CPU_ISSET(i, &all) && left-- == 0) pu = i;
  }
  CPU_ZERO(&one);
  CPU_SET(pu, &one);
  sched_setaffinity(0, sizeof one, &one);
  uint64_t rounds = 0;
  for (; now() < until; ++rounds) {
    for (int i = 0; i < pages; ++i) ++((volatile unsigned char*)at)[i * page + 100 + number];
  }
  for (int i = 0; i < pages; ++i) must(at[i * page + 100 + number] == (unsigned char)(1 + rounds), "a byte");
  say(at, pu, 100 + number);
  return at;
}

static void run_threads(void* (*run)(void*)) {
  pthread_t all[writers];
  for (long i = 0; i < writers; ++i)
    must(pthread_create(&all[i], NULL, run, (void*)i) == 0, "pthread_create");
  for (int i = 0; i < writers; ++i) pthread_join(all[i], NULL);
}

static void ignore(int number) {
  (void)number;
}

static void reads(void) {
  unsigned char* const at = memory(pages * page);
  struct sigaction action = {.sa_handler = ignore, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &often, NULL);
  const int zeros = memfd_create("zeros", 0);
  must(ftruncate(zeros, pages * page) == 0, "ftruncate");
  for (; now() < until; memset(at, 1, pages * page)) {
    must(pread(zeros, at, pages * page, 0) == pages * page, "pread");
    for (int i = 0; i < pages * page; ++i) must(at[i] == 0, "what was read");
  }
  say(at, 0, -1);
}

// Nothing is written to the page of the control block between its beginning and the kernel, which clears the
// number in it: its stack is in other pages, it does not sleep, and ends without a word to the C library.
static void __attribute__((noinline)) end_soon(void) {
  volatile char other_pages[4 * page];
  other_pages[0] = 0;
  for (const double since = now(); now() - since < 0.015;) other_pages[0] = 1;
  must(other_pages[0] == 1, "time");
  syscall(SYS_exit, 0);
}

static void* run_and_end(void* argument) {
  end_soon();
  return argument;
}

static int run_and_end_c11(void* argument) {
  end_soon();
  return argument == NULL;
}

static void joins(void) {
  while (now() < until) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, run_and_end, NULL) == 0, "pthread_create");
    must(pthread_join(thread, NULL) == 0, "pthread_join");
  }
}

static void joins_c11(void) {
  while (now() < until) {
    thrd_t thread;
    must(thrd_create(&thread, run_and_end_c11, NULL) == thrd_success, "thrd_create");
    must(thrd_join(thread, NULL) == thrd_success, "thrd_join");
  }
}

static pthread_mutex_t* mutex;
static long under_mutex;

static void* contend(void* argument) {
  while (now() < until) {
    must((errno = pthread_mutex_lock(mutex)) == 0, "pthread_mutex_lock");
    ++under_mutex;
    sched_yield();
    must((errno = pthread_mutex_unlock(mutex)) == 0, "pthread_mutex_unlock");
  }
  return argument;
}

static void mutexes(void) {
  mutex = (pthread_mutex_t*)(memory(pages * page) + 512);
  usleep(300000);  // pages are protected by now
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  must(pthread_mutex_init(mutex, &attributes) == 0, "pthread_mutex_init");
  run_threads(contend);
}

static void* write_on(void* argument) {
  unsigned char* const at = memory(pages * page);
  while (!stop) {
    for (int i = 0; i < pages; ++i) ++((volatile unsigned char*)at)[i * page];
  }
  return argument;
}

static void spawns(void) {
  unsigned char* const at = memory(pages * page);
  pthread_t writer;
  must(pthread_create(&writer, NULL, write_on, NULL) == 0, "pthread_create");
  char* words[] = {"true", NULL};
  char* none[] = {NULL};
  for (int status = 0; now() < until;) {
    pid_t child = 0;
    memset(at, 2, pages * page);
    must((errno = posix_spawn(&child, "/bin/true", NULL, NULL, words, none)) == 0, "posix_spawn");
    must(waitpid(child, &status, 0) == child && status == 0, "the spawned");
    child = fork();
    if (child == 0) {  // every page of it, protected in the parent or not
      for (int i = 0; i < pages; ++i) must(++at[i * page] == 3, "a child's byte");
      _exit(0);
    }
    must(waitpid(child, &status, 0) == child && status == 0, "the forked");
    for (int i = 0; i < pages; ++i) must(at[i * page] == 2, "a byte");
  }
  stop = 1;
  pthread_join(writer, NULL);
}

static void huge(void) {
  enum { unit = 2 << 20, units = 4, all = units * unit / page };
  unsigned char* const room =
      mmap(NULL, (units + 1) * unit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(room != MAP_FAILED, "mmap");
  volatile unsigned char* const at = (unsigned char*)(((uintptr_t)room + unit - 1) / unit * unit);
  madvise((void*)(uintptr_t)at, units * unit, MADV_HUGEPAGE);
  for (unsigned round = 1; now() < until; ++round) {
    for (int i = 0; i < all; ++i) ++at[(size_t)i * page + 5];
    const pid_t child = round % 64 == 0 ? fork() : -1;
    if (child == 0) ++at[5];
    for (int i = child == 0; i < all; ++i) must(at[(size_t)i * page + 5] == (unsigned char)round, "a byte");
    if (child == 0) _exit(at[5] == (unsigned char)(round + 1) ? 0 : 1);
    int status = 0;
    must(child < 0 || (waitpid(child, &status, 0) == child && status == 0), "the forked");
  }
  printf("%d 0 %lu %d -1\n", gettid(), (unsigned long)at, all);
}

static void grows(void) {
  while (now() < until) {
    size_t bytes = 64 * page;
    unsigned char* at = memory(bytes);
    for (int round = 0; round < 4; ++round) {
      for (double since = now(); now() - since < 0.04;) at[(size_t)rand() % bytes] = 1;
      at = mremap(at, bytes, 2 * bytes, MREMAP_MAYMOVE);
      must(at != MAP_FAILED, "mremap");
      for (size_t i = 0; i < bytes; ++i) must(at[i] == 1, "what was there");
      memset(at + bytes, 1, bytes);
      bytes *= 2;
    }
    munmap(at, bytes);
  }
}

static pthread_barrier_t both_made;

static void* leave(void* argument) {
  pthread_barrier_wait(&both_made);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  must(write(1, "left\n", 5) == 5, "write");
  return argument;
}

static void* say_made(void* argument) {
  must(write(1, "made\n", 5) == 5, "write");
  return argument;
}

static void leaves(void) {
  pthread_t all[3];
  sigset_t meanwhile;
  int number = 0;
  pthread_barrier_init(&both_made, NULL, 2);
  sigemptyset(&meanwhile);
  sigaddset(&meanwhile, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &meanwhile, NULL);
  for (int i = 0; i < 2; ++i) must(pthread_create(&all[i], NULL, leave, NULL) == 0, "pthread_create");
  must(sigwait(&meanwhile, &number) == 0, "sigwait");
  must(pthread_create(&all[2], NULL, say_made, NULL) == 0, "pthread_create");
  for (int i = 0; i < 3; ++i) pthread_join(all[i], NULL);
}

// By the RUNPATH of this program, which is the caller's.
static void loads(int apart, int mode) {
  unsigned char* const at = memory(pages * page);
  usleep(100000);
  void* const library =
      apart ? dlmopen(LM_ID_NEWLM, "deep.so", RTLD_NOW) : dlopen("deep.so", RTLD_NOW | mode);
  if (!library) fprintf(stderr, "written: %s\n", dlerror());
  must(library != NULL, "dlopen");
  int (*const make_threads)(int) = (int (*)(int))dlsym(library, "make_threads");
  must(make_threads != NULL, "dlsym");
  while (now() < until) {
    must(make_threads(16), "its threads");
    for (int i = 0; i < pages; ++i) ++((volatile unsigned char*)at)[i * page];
  }
  say(at, 0, -1);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  alarm(60);  // whoever hangs ends by a signal
  until = now() + 1e-3 * atof(words[2]);
  const char* const mode = words[1];
  if (strcmp(mode, "pages") == 0) run_threads(write_pages);
  if (strcmp(mode, "reads") == 0) reads();
  if (strcmp(mode, "joins") == 0) joins();
  if (strcmp(mode, "c11") == 0) joins_c11();
  if (strcmp(mode, "mutexes") == 0) mutexes();
  if (strcmp(mode, "spawns") == 0) spawns();
  if (strcmp(mode, "huge") == 0) huge();
  if (strcmp(mode, "grows") == 0) grows();
  if (strcmp(mode, "leaves") == 0) leaves();
  if (strcmp(mode, "loads") == 0) loads(0, 0);
  if (strcmp(mode, "deep") == 0) loads(0, RTLD_DEEPBIND);
  if (strcmp(mode, "apart") == 0) loads(1, 0);
  puts("right");
  return 0;
}
