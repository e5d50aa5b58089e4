// shares ROUNDS: two functions do the same work, one of them three times as often. The kernel is called, too.
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STEPS = 20000, CALLS = 200 };

#define WORK(name)                                           \
  __attribute__((noinline)) double name(double x) {          \
    for (int i = 0; i < STEPS; ++i) x = x * 0.999999 + 1e-9; \
    return x;                                                \
  }

WORK(once)
WORK(thrice)

int main(int count, char** arguments) {
  const int rounds = count > 1 ? atoi(arguments[1]) : 1;
  double x = 1;
  for (int i = 0; i < rounds; ++i) {
    x = once(x);
    for (int k = 0; k < 3; ++k) x = thrice(x);
    for (int k = 0; k < CALLS; ++k) syscall(SYS_getppid);
  }
  return x < 0;
}
