// A library whose threads may be made past whatever stands in front of the C library (written.c).
#include <pthread.h>
#include <stddef.h>

static void* nothing(void* argument) {
  return argument;
}

__attribute__((visibility("default"))) int make_threads(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0) return 0;
  }
  return 1;
}
