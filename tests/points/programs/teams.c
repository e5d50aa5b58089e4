// Threads of OpenMP that meet as often as they are told: regions, barriers and loops that end with one; and
// regions for one thread, where nobody meets. Each thread counts to IN in each region, and one to OUT before.
// usage: teams REGIONS BARRIERS LOOPS ALONE IN OUT

#include <omp.h>
#include <stdlib.h>

static void count_to(int end) {
  for (volatile int i = 0; i < end; ++i) {
  }
}

int main(int argc, char** argv) {
  if (argc != 7) return 2;
  const int barriers = atoi(argv[2]), loops = atoi(argv[3]), in = atoi(argv[5]), out = atoi(argv[6]);
  int sum = 0;
  for (int region = 0; region < atoi(argv[1]); ++region) {
    count_to(out);
#pragma omp parallel
    {
      count_to(in);
      for (int i = 0; i < barriers; ++i) {
#pragma omp barrier
      }
      for (int i = 0; i < loops; ++i) {
#pragma omp for schedule(dynamic, 1)
        for (int j = 0; j < 4; ++j)
#pragma omp atomic
          sum += 1;
      }
    }
  }
  for (int region = 0; region < atoi(argv[4]); ++region) {
#pragma omp parallel num_threads(1)
    sum += omp_get_num_threads();
  }
  return sum == 4 * loops * atoi(argv[1]) + atoi(argv[4]) ? 0 : 1;
}
