#include "points/profile/variables.hpp"

#include <gtest/gtest.h>

namespace gable::points {
namespace {

TEST(Variables, AreFoundInTheLineThatAllocates) {
  const std::pair<const char*, const char*> lines[] = {
      {"  double* p = (double*)malloc(n);", "p"},
      {"  s->val[i] = new double[n];", "s->val[i]"},
      {"  posix_memalign((void**)&grid, 64, n);", "grid"},
      {"  std::vector<double> numbers(100000, 2.0);", "numbers"},
      {"  allocate(x(n))", "x"},
      {"  Record* input = allocate(n, sizeof *input);", "input"},
      {"  if ((u = aligned_alloc(64, n)) == NULL) exit(1);", "u"},
      {"  double *u = aligned_alloc(64, n * sizeof *u);", "u"},
      {"  auto u = std::make_unique<double[]>(1000);", "u"},
      {"  row.resize(n);", "row"},
      {"  double *a = malloc(n), *b = malloc(n);", ""},
      {"  char* map = mmap(NULL, n, PROT_READ, MAP_PRIVATE, file, 0);", "map"},
      {"  double* m = mmap(0, n, 3, 34, -1, 0); void* q; posix_memalign(&q, 64, n);", ""},
      {"  return malloc(n);", ""},
      {"  x = y;", ""},
  };
  for (const auto& [line, variable] : lines) EXPECT_EQ(allocated_variable(line), variable) << line;
}

}  // namespace
}  // namespace gable::points
