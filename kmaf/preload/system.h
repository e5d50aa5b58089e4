/* System calls without a C library: errno is never touched. */
#ifndef GABLE_KMAF_PRELOAD_SYSTEM_H
#define GABLE_KMAF_PRELOAD_SYSTEM_H

#include <sys/syscall.h>

static inline long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static inline int failed(long result) {
  return result < 0 && result >= -4095;
}

static inline void shut(long fd) {
  if (fd >= 0) call(SYS_close, fd, 0, 0, 0, 0, 0);
}

#endif
