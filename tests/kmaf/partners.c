// Pairs of processes that share memory, and the memory's policy in the kernel:
//
//   partners KIND PROCESSES PAGES SECONDS [own]
//   partners policy FILE
//
// The processes share one object, which the first of them initializes; each pair uses PAGES pages of it that
// only these two use. Partners are the first and the last process, the second and the last but one, and so
// on. It ends when partners have shared a node for some time with 95 % of all pages, or when the time is up.
// KIND is anonymous, memfd, systemv, or the path of a file, which is not removed. With "own" the program
// gives the object a memory policy. It prints the object's address, the policy of its first page whenever
// that has changed, and "reached" or "missed" with the counts. The second form prints the policy of the first
// page of a file.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { page = 4096, most = 64, steady = 3 };

struct Seen {  // a page per process, shared only with the judging process
  volatile int node, local_pages, ready;
  char rest[page - 3 * sizeof(int)];
};

static struct Seen* seen;
static char* object;
static int processes, pages;  // of each pair
static volatile long sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static void* failed(const char* what) {
  fprintf(stderr, "partners: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int policy_of(void* at) {
  int mode = -1;
  const int of_address = 2;  // MPOL_F_ADDR
  if (syscall(SYS_get_mempolicy, &mode, NULL, 0UL, at, of_address) != 0) failed("get_mempolicy");
  return mode;
}

static char* map(int fd, size_t bytes) {
  void* const at =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
  return at == MAP_FAILED ? failed("mmap") : at;
}

static char* make(const char* kind, size_t bytes) {
  if (strcmp(kind, "anonymous") == 0) return map(-1, bytes);
  if (strcmp(kind, "systemv") == 0) {
    const int id = shmget(IPC_PRIVATE, bytes, 0600);
    void* const at = id < 0 ? failed("shmget") : shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);  // takes effect when no process uses it any more
    return at;
  }
  const int fd =
      strcmp(kind, "memfd") == 0 ? memfd_create("partners", 0) : open(kind, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0) failed(kind);
  char* const at = map(fd, bytes);
  close(fd);
  return at;
}

static int partner_of(int process) {
  return processes - 1 - process;
}

static char* data_of(int process) {
  const int pair = process < partner_of(process) ? process : partner_of(process);
  return object + (size_t)pair * (size_t)pages * page;
}

static void use(int process) {
  long sum = 0;
  for (int i = 0; i < pages; ++i) {
    char* const at = data_of(process) + (size_t)i * page;
    for (int line = 0; line < page; line += 64) sum += ++at[line];
    __builtin_ia32_pause();  // an emulated CPU yields to the next one
  }
  sink += sum;
}

// The process itself checks, because another one would appear to use the pages.
static void look(int process) {
  static void* at[1 << 16];
  static int status[1 << 16];
  unsigned cpu = 0, node = 0;
  int here = 0;
  syscall(SYS_getcpu, &cpu, &node, NULL);
  for (int i = 0; i < pages; ++i) {
    at[i] = data_of(process) + (size_t)i * page;
    sink += *(volatile char*)at[i];  // move_pages cannot find a hidden page
  }
  syscall(SYS_move_pages, 0, (long)pages, at, NULL, status, 0);
  for (int i = 0; i < pages; ++i) here += status[i] == (int)node;
  seen[process].local_pages = here;
  seen[process].node = (int)node;
  seen[process].ready = 1;
}

// Whether the goal is reached; prints it at the end.
static int together(int ends, double seconds) {
  const int pairs = processes / 2;
  int with = 0, local = 0, ready = 0;
  for (int i = 0; i < pairs; ++i) {
    with += seen[i].node == seen[partner_of(i)].node;
    local += seen[i].local_pages;
    ready += seen[i].ready && seen[partner_of(i)].ready;
  }
  const int all = ready == pairs && with == pairs && local >= pairs * pages * 95 / 100;
  if (ends)
    printf(
        "%s: %d of %d pairs share a node, %d of %d pages are on the node of their pair's first, after %.1f "
        "s\n",
        all ? "reached" : "missed", with, pairs, local, pairs * pages, seconds);
  return all;
}

static void work(int process, double limit) {
  const double began = now();
  double looked = 0, judged = began;
  int held = 0, policy = -1;
  for (;;) {
    use(process);
    const double time = now();
    if (time - looked > 0.25) look(process), looked = now();
    if (process != 0) continue;
    if (policy_of(object) != policy) printf("policy %d\n", policy = policy_of(object)), fflush(stdout);
    if (time - judged < 0.5) continue;
    judged = time;
    held = together(0, 0) ? held + 1 : 0;
    const int reached =
        held >= steady && processes > 2;  // two processes are always together, so these continue
    if (!reached && time - began < limit) continue;
    together(1, time - began);
    return;
  }
}

static int tell_policy(const char* name) {
  const int fd = open(name, O_RDONLY);
  void* const at = fd < 0 ? MAP_FAILED : mmap(NULL, page, PROT_NONE, MAP_SHARED, fd, 0);
  if (at == MAP_FAILED) failed(name);
  printf("policy %d\n", policy_of(at));
  return 0;
}

int main(int count, char** words) {
  if (count == 3 && strcmp(words[1], "policy") == 0) return tell_policy(words[2]);
  if (count != 5 && count != 6) return 2;
  processes = atoi(words[2]), pages = atoi(words[3]);
  if (processes < 2 || processes > most || processes % 2 != 0 || pages < 1 || pages > 1 << 16) return 2;
  const size_t bytes = (size_t)(processes / 2) * (size_t)pages * page;
  seen = (struct Seen*)map(-1, (size_t)processes * sizeof *seen);
  object = make(words[1], bytes);
  const unsigned long first_node = 1;
  if (count == 6 && syscall(SYS_mbind, object, bytes, 2 /* MPOL_BIND */, &first_node, 64UL, 0) != 0)
    failed("mbind");
  memset(object, 1, bytes);
  printf("object %lx %zu\n", (unsigned long)object, bytes);
  fflush(stdout);
  pid_t all[most];
  for (int i = 1; i < processes; ++i) {
    all[i] = fork();
    if (all[i] < 0) failed("fork");
    if (all[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      work(i, 0);
    }
  }
  work(0, atof(words[4]));
  for (int i = 1; i < processes; ++i) kill(all[i], SIGKILL), waitpid(all[i], NULL, 0);
  return 0;
}
