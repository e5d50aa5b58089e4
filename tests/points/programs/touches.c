// touches KIB MS WHEN: in the marked region "touches" it writes to every page of KIB of memory and waits MS,
// after that (WHEN is "first") or before it ("last"). Nothing is left of the memory when it ends.

#include <gable-marker.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_for(double duration) {
  const double end = seconds() + duration;
  while (seconds() < end) {
  }
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const size_t bytes = 1024 * strtoul(argv[1], NULL, 10);
  const double duration = 1e-3 * atof(argv[2]);
  const int last = strcmp(argv[3], "last") == 0;
  volatile char* const data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return 1;
  gable_marker_start("touches");
  gable_marker_work(1e6, 8e6, 0);
  if (last) wait_for(duration);
  for (size_t i = 0; i < bytes; i += 4096) data[i] = 1;
  if (!last) wait_for(duration);
  gable_marker_stop("touches");
  munmap((void*)data, bytes);
  return 0;
}
