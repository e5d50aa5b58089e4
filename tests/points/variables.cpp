#include "points/profile/variables.hpp"

#include <gtest/gtest.h>

namespace gable::points {
namespace {

TEST(Variables, AreFoundInTheLineThatAllocates) {
  const std::pair<const char*, std::vector<std::string>> lines[] = {
      {"  double* p = (double*)malloc(n);", {"p"}},
      {"  s->val[i] = new double[n];", {"s->val[i]"}},
      {"  posix_memalign((void**)&grid, 64, n);", {"grid"}},
      {"  std::vector<double> numbers(100000, 2.0);", {"numbers"}},
      {"  allocate(x(n))", {"x"}},
      {"  ALLOCATE (a(n, m), g%b(0:max(n, 2)), c, stat=ierr)", {"a", "g%b", "c"}},
      {"  allocate(real(8) :: a(n), b(n))", {"a", "b"}},
      {"  allocate(a(n), &", {}},
      {"  Record* input = allocate(n, sizeof *input);", {"input"}},
      {"  if ((u = aligned_alloc(64, n)) == NULL) exit(1);", {"u"}},
      {"  double *u = aligned_alloc(64, n * sizeof *u);", {"u"}},
      {"  auto u = std::make_unique<double[]>(1000);", {"u"}},
      {"  row.resize(n);", {"row"}},
      {"  double *a = malloc(n), *b = malloc(n);", {"a", "b"}},
      {"  char* map = mmap(NULL, n, PROT_READ, MAP_PRIVATE, file, 0);", {"map"}},
      {"  double* m = mmap(0, n, 3, 34, -1, 0); void* q; posix_memalign(&q, 64, n);", {"m", "q"}},
      {"  double(*rows)[size] = malloc(n * sizeof *rows);", {"rows"}},
      {"  return malloc(n);", {}},
      {"  x = y;", {}},
  };
  for (const auto& [line, variables] : lines) EXPECT_EQ(allocated_variables(line), variables) << line;
}

}  // namespace
}  // namespace gable::points
