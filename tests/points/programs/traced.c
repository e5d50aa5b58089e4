// traced: prints its array's address, then accesses it in a known order, in a second thread and in the first.

#include <pthread.h>
#include <stdio.h>

static volatile long array[8];

// Alternates between reads from the end and writes from the start.
static void* touch(void* unused) {
  for (int i = 0; i < 4; ++i) array[i] = array[7 - i];
  return unused;
}

int main(void) {
  pthread_t second;
  printf("%lu\n", (unsigned long)array);
  pthread_create(&second, NULL, touch, NULL);
  pthread_join(second, NULL);
  touch(NULL);
  return 0;
}
