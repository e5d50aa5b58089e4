// misbehave HOW [NUMBER]: programs that are difficult for a counter. Each process first executes NUMBER
// divisions (by default 10), so that the counts show which processes were counted.

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static const int* volatile nowhere;

static void divide(long times) {
  volatile double value = 1;
  for (long i = 0; i < times; ++i) value = value / 1.5;
}

static void* divide_ten(void* unused) {
  divide(10);
  return unused;
}

static void* end_the_program(void* unused) {
  exit(unused != NULL);
}

static sigjmp_buf tried;

static void leave(int number) {
  siglongjmp(tried, number);
}

static int foreign_instruction(const char* how) {
  if (!strcmp(how, "avx512")) __asm__ volatile("vaddpd %zmm0, %zmm1, %zmm2");
  if (!strcmp(how, "try_avx512")) {
    signal(SIGILL, leave);
    if (!sigsetjmp(tried, 1)) __asm__ volatile("vaddpd %zmm0, %zmm1, %zmm2");
    return 0;
  }
  if (!strcmp(how, "opmask")) __asm__ volatile("kxnorw %k1, %k1, %k1");
  if (!strcmp(how, "clwb")) __asm__ volatile("clwb (%rsp)");
  return 2;
}

static int spawn_self(char* self, char* how, char* number) {
  char* const arguments[] = {self, how, number, NULL};
  pid_t child;
  int status;
  if (posix_spawn(&child, self, NULL, NULL, arguments, environ) != 0) return 1;
  waitpid(child, &status, 0);
  return status;
}

// Starts so many at a time that ids are reused, and then one after another.
static int many_threads(long number) {
  pthread_t ids[64];
  for (long done = 0; done < number; done += 64) {
    for (int i = 0; i < 64; ++i) {
      if (pthread_create(&ids[i], NULL, divide_ten, NULL) != 0) return 1;
    }
    for (int i = 0; i < 64; ++i) pthread_join(ids[i], NULL);
  }
  return 0;
}

static void* wait_for_ever(void* unused) {
  for (;;) pause();
  return unused;
}

static int threads_at_a_time(long number) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (long i = 0; i < number; ++i) {
    pthread_t id;
    if (pthread_create(&id, &small, wait_for_ever, NULL) != 0) return 1;
  }
  return 0;
}

int main(int count, char** arguments) {
  const char* const how = count > 1 ? arguments[1] : "";
  const long number = count > 2 ? atol(arguments[2]) : 10;
  divide(number);
  if (!strcmp(how, "silent")) return 0;
  if (!strcmp(how, "speak")) return puts("to stdout"), fputs("to stderr\n", stderr), 0;
  if (!strcmp(how, "fail")) return 3;
  if (!strcmp(how, "crash")) return *nowhere;
  if (!strcmp(how, "killed")) return raise(SIGKILL);
  if (!strcmp(how, "close")) {
    for (int file = 0; file < 1024; ++file) close(file);
    return 0;
  }
  if (!strcmp(how, "fork")) {
    for (int i = 0; i < 3; ++i) {
      if (fork() == 0) return divide(100), 0;
    }
    while (wait(NULL) > 0) {
    }
    return 0;
  }
  if (!strcmp(how, "spawn")) return spawn_self(arguments[0], "silent", "1000");
  if (!strcmp(how, "exec")) return execl(arguments[0], arguments[0], "silent", "1000", NULL);
  if (!strcmp(how, "exec_nothing")) return execl("/nowhere", "nowhere", NULL), divide(100), 0;
  if (!strcmp(how, "kill_child")) {
    const pid_t child = fork();
    if (child == 0) return pause();
    usleep(200 * 1000);
    return kill(child, SIGKILL) || wait(NULL) != child;
  }
  if (!strcmp(how, "orphan")) {
    if (fork() == 0) return usleep(300 * 1000), divide(100), 0;
    return 0;
  }
  if (!strcmp(how, "daemon")) {
    if (daemon(1, 0) != 0) return 1;
    for (int i = 0; i < 600; ++i) usleep(100 * 1000);
    return 0;
  }
  if (!strcmp(how, "ask_the_time")) {
    struct timespec now;
    for (int i = 0; i < 7; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
    return 0;
  }
  if (!strcmp(how, "threads")) return many_threads(512);
  if (!strcmp(how, "crowd")) return threads_at_a_time(2500);
  if (!strcmp(how, "exit_in_thread")) {
    pthread_t id;
    return pthread_create(&id, NULL, end_the_program, NULL), pause();
  }
  return foreign_instruction(how);
}
