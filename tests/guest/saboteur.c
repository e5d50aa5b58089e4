// Runs in the guest. saboteur pages PID NODE moves all memory of a process to one node, saboteur threads PID
// CPU pins all its threads to one CPU: again and again until the process ends. Exit status 0 if it did so at
// least once.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int move_pages_to(pid_t pid, unsigned node) {
  const unsigned long to = 1ul << node, from = ~to;
  return syscall(SYS_migrate_pages, pid, 8 * sizeof to, &from, &to) >= 0;
}

static int pin_threads_to(pid_t pid, unsigned cpu) {
  char folder[64];
  snprintf(folder, sizeof folder, "/proc/%d/task", pid);
  DIR* tasks = opendir(folder);
  cpu_set_t set;
  int done = 0;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  for (struct dirent* task = tasks ? readdir(tasks) : NULL; task; task = readdir(tasks)) {
    const pid_t thread = atoi(task->d_name);
    done += thread > 0 && thread != pid && sched_setaffinity(thread, sizeof set, &set) == 0;
  }
  if (tasks) closedir(tasks);
  return done > 0;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const pid_t pid = atoi(words[2]);
  const unsigned target = (unsigned)atoi(words[3]);
  int (*sabotage)(pid_t, unsigned) = strcmp(words[1], "pages") == 0 ? move_pages_to : pin_threads_to;
  int done = 0;
  while (kill(pid, 0) == 0) {
    done |= sabotage(pid, target);
    usleep(500);
  }
  return !done;
}
