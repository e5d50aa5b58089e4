/* without numa|perf|affinity|thp COMMAND...: runs the command as in a container that forbids NUMA system calls
   ("numa"), perf_event_open ("perf") or sched_getaffinity ("affinity"), or as a process without transparent
   huge pages ("thp"). Several words may be joined by commas. */

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DENY(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static int forbid(struct sock_filter* filter, unsigned short length) {
  struct sock_fprog program = {length, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int forbid_numa(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      DENY(SYS_mbind),
      DENY(SYS_set_mempolicy),
      DENY(SYS_get_mempolicy),
      DENY(SYS_move_pages),
      DENY(SYS_migrate_pages),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return forbid(filter, sizeof filter / sizeof *filter);
}

static int forbid_call(unsigned call) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      DENY(call),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return forbid(filter, sizeof filter / sizeof *filter);
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s numa|perf|affinity|thp COMMAND...\n", argv[0]);
    return 2;
  }
  if (strstr(argv[1], "thp") != NULL && prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) {
    perror("prctl");
    return 77;
  }
  if (strstr(argv[1], "numa") != NULL && forbid_numa() != 0) {
    perror("seccomp");
    return 77;
  }
  if ((strstr(argv[1], "perf") != NULL && forbid_call(SYS_perf_event_open) != 0) ||
      (strstr(argv[1], "affinity") != NULL && forbid_call(SYS_sched_getaffinity) != 0)) {
    perror("seccomp");
    return 77;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 1;
}
