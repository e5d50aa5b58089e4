/* Hands a userfaultfd of the process over to the one that serves its faults, once at the start and once in
   every forked child, and keeps neither it nor any other descriptor. Everything else is done from outside.

   This library needs no other, so that it can be loaded beside any C library, whatever its version. In one
   that is not glibc it does nothing, for what is known of control blocks is glibc's. */
#define _GNU_SOURCE
#include "handover.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "system.h"

extern const char* gnu_get_libc_version(void) WEAK;
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void*) WEAK;
#pragma weak pthread_attr_getstack

enum { page = 4096, list_bytes = (sizeof(struct gable_threads) + page - 1) / page * page };

/* The list of this process: in a page that is empty in every child, however it was made. */
static struct gable_threads** own;
static struct gable_threads* last; /* the same, and in a forked child its parent's */
static char name[sizeof((struct sockaddr_un*)0)->sun_path];
static int name_length;
static int begun;
static long confined; /* by seccomp(2), from the beginning */

struct gable_threads* list(void) {
  return own ? *own : NULL;
}

/* The environment as the program was given it: it may have none of its own yet. */
static void find_name(void) {
  static const char wanted[] = GABLE_WRITE_FAULTS "=";
  const long fd = call(SYS_openat, AT_FDCWD, (long)"/proc/self/environ", O_RDONLY | O_CLOEXEC, 0, 0, 0);
  char buffer[512];
  unsigned matched = 0;
  int in_name = 0, differs = 0, length = 0;
  if (failed(fd)) return;
  for (long got; (got = call(SYS_read, fd, (long)buffer, sizeof buffer, 0, 0, 0)) > 0;) {
    for (long i = 0; i < got; ++i) {
      const char c = buffer[i];
      if (c == 0) {
        if (in_name) name_length = length;
        matched = 0, in_name = 0, differs = 0;
      } else if (in_name) {
        if (length < (int)sizeof name - 1) name[++length] = c; /* name[0] stays zero: abstract */
      } else if (!differs && c == wanted[matched]) {
        in_name = ++matched == sizeof wanted - 1;
        if (in_name) length = 0;
      } else {
        differs = 1;
      }
    }
  }
  shut(fd);
}

static long connected(int more) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const long fd = call(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | more, 0, 0, 0, 0);
  if (failed(fd)) return -1;
  for (int i = 0; i <= name_length; ++i) address.sun_path[i] = name[i];
  const long length = (long)offsetof(struct sockaddr_un, sun_path) + 1 + name_length;
  if (!failed(call(SYS_connect, fd, (long)&address, length, 0, 0, 0))) return fd;
  shut(fd);
  return -1;
}

static void say(long to, struct gable_hello hello, const int* descriptors) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
  } control = {0};
  struct iovec part = {&hello, sizeof hello};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptors) {
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(2 * sizeof(int));
    ((int*)CMSG_DATA(&control.header))[0] = descriptors[0];
    ((int*)CMSG_DATA(&control.header))[1] = descriptors[1];
  }
  call(SYS_sendmsg, to, (long)&message, MSG_NOSIGNAL, 0, 0, 0);
}

/* Faults by the kernel in system calls wait as well. A negative errno where there is none to be had. */
static long userfault(void) {
  const long fd = call(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0, 0);
  if (!failed(fd)) return fd;
  const long device = call(SYS_openat, AT_FDCWD, (long)"/dev/userfaultfd", O_RDWR | O_CLOEXEC, 0, 0, 0);
  if (failed(device)) return fd;
  const long made = call(SYS_ioctl, device, USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK, 0, 0, 0);
  shut(device);
  return failed(made) ? fd : made;
}

static void* mapped(long bytes, int flags, long fd) {
  const long at = call(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
  return failed(at) ? NULL : (void*)at;
}

void add_thread(struct gable_threads* threads) {
  const uint64_t here = (uint64_t)__builtin_thread_pointer();
  const uint32_t count = __atomic_load_n(&threads->count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count && i < gable_most_threads; ++i) {
    if (threads->thread_pointer[i] == here) return; /* a stack that was used before */
  }
  const uint32_t mine = __atomic_fetch_add(&threads->count, 1, __ATOMIC_ACQ_REL);
  if (mine < gable_most_threads)
    __atomic_store_n(&threads->thread_pointer[mine], here, __ATOMIC_RELEASE);
  else
    __atomic_store_n(&threads->left, 1, __ATOMIC_RELEASE); /* read before anything is protected */
}

/* With the threads of `parent`, whose stacks a child may use again. */
static void join(const struct gable_threads* parent) {
  long to = -1;
  int given[2] = {-1, -1};
  const long faults = userfault();
  const long memory = failed(faults) ? -1 : call(SYS_memfd_create, (long)"gable-threads", 1, 0, 0, 0, 0);
  struct gable_threads* threads = NULL;
  if (memory >= 0 && !failed(call(SYS_ftruncate, memory, list_bytes, 0, 0, 0, 0)))
    threads = mapped(list_bytes, MAP_SHARED, memory);
  to = connected(SOCK_NONBLOCK); /* last, for the other end does not wait long for what is said */
  if (to < 0) {
    if (threads) call(SYS_munmap, (long)threads, list_bytes, 0, 0, 0, 0);
  } else if (threads) {
    const uint32_t count = parent ? __atomic_load_n(&parent->count, __ATOMIC_ACQUIRE) : 0;
    for (uint32_t i = 0; i < count && i < gable_most_threads; ++i)
      threads->thread_pointer[threads->count++] = parent->thread_pointer[i];
    add_thread(threads);
    *own = last = threads;
    given[0] = (int)faults, given[1] = (int)memory;
    say(to, (struct gable_hello){gable_joins, 0}, given);
  } else {
    say(to, (struct gable_hello){gable_cannot, failed(faults) ? (int)-faults : ENOMEM}, NULL);
  }
  shut(memory);
  if (!failed(faults)) shut(faults);
  shut(to);
}

static long confinement(void) {
  return call(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0);
}

/* Threads that the parent is still making are in no list: then the child is not handed over. Nor is it where
   the program has confined itself to some system calls since it began, for others may be its end. */
static void in_child(void) {
  struct gable_threads* const parent = last;
  last = NULL;
  if (!parent || confinement() != confined) return;
  if (__atomic_load_n(&parent->creating, __ATOMIC_ACQUIRE) == 0 && !parent->left) join(parent);
  call(SYS_munmap, (long)parent, list_bytes, 0, 0, 0, 0);
}

__attribute__((constructor)) void begin(void) {
  if (__atomic_exchange_n(&begun, 1, __ATOMIC_ACQ_REL)) return;
  if (!gnu_get_libc_version || !dlsym || !pthread_attr_getstack || !__register_atfork) return;
  find_name();
  if (name_length == 0) return;
  confined = confinement();
  own = mapped(page, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if (!own || failed(call(SYS_madvise, (long)own, page, MADV_WIPEONFORK, 0, 0, 0))) {
    own = NULL;
    return;
  }
  if (__register_atfork(NULL, NULL, in_child, NULL) == 0) join(NULL);
}

/* Says a word and waits for the answer, or as long as it takes without. */
static void ask(enum gable_word word) {
  char answer;
  long got = 0;
  const long to = confinement() == confined ? connected(0) : -1;
  if (to >= 0) {
    say(to, (struct gable_hello){word, 0}, NULL);
    while ((got = call(SYS_read, to, (long)&answer, sizeof answer, 0, 0, 0)) == -EINTR) continue;
    shut(to);
  }
  struct timespec while_protected = {0, 400000000}, *const left = &while_protected;
  while (got != sizeof answer && call(SYS_nanosleep, (long)left, (long)left, 0, 0, 0, 0) == -EINTR) continue;
}

void leave_alone(void) {
  struct gable_threads* const threads = list();
  if (!threads || __atomic_load_n(&threads->left_done, __ATOMIC_ACQUIRE)) return;
  __atomic_store_n(&threads->left, 1, __ATOMIC_RELEASE);
  ask(gable_leaves);
  __atomic_store_n(&threads->left_done, 1, __ATOMIC_RELEASE);
}

void hold_still(void) {
  struct gable_threads* const threads = list();
  if (threads && !__atomic_load_n(&threads->left_done, __ATOMIC_ACQUIRE)) ask(gable_loads);
}
