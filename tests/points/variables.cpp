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
      {"  std::vector<double> a(n), b(n, f(1, 2)), *c;", {"a", "b"}},
      {"  std::vector<std::vector<double>> rows(n, std::vector<double>(n));", {"rows"}},
      {"  int* counts = (int*)shmat(id, NULL, 0);", {"counts"}},
      {"  u = mremap(u, n, 2 * n, MREMAP_MAYMOVE);", {"u"}},
      {"  char* map = mmap64(NULL, n, PROT_READ, MAP_PRIVATE, file, 0);", {"map"}},
      {"  allocate(x);", {}},
      {"  const std::vector<double> p(n), q = p, r;", {"p", "q", "r"}},
      {"  std::string text(n, 'x');", {"text"}},
      {"  auto p = std::vector<double>(n, 3.0);", {"p"}},
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

using Names = std::vector<std::string>;

TEST(Variables, OfFortranAreFoundInStatements) {
  const std::pair<const char*, Names> statements[] = {
      {"  allocate(x(n))", {"x"}},
      {"  ALLOCATE (a(n, m), g%b(0:max(n, 2)), c, stat=ierr)", {"a", "g%b", "c"}},
      {"  allocate(real(8) :: a(n), b(n))", {"a", "b"}},
      {"  allocate(a(n)); allocate(b(n))", {"a", "b"}},
      {"  if (.not. allocated(a)) allocate(a(n))", {"a"}},
      {"  real(8) :: work(n), total, more(0:n, 2)", {"work", "more"}},
      {"  double precision work(n)", {"work"}},
      {"  call f(a, n)", {}},
      {"  allocate(a(n),", {}},
  };
  for (const auto& [statement, variables] : statements)
    EXPECT_EQ(fortran_variables(statement), variables) << statement;
}

TEST(Variables, AreFoundInTheLineThatCallsAnAllocatorOfTheProgram) {
  EXPECT_EQ(allocated_variables("  double* u = grid(n);"), Names{});
  EXPECT_EQ(allocated_variables("  double* u = grid(n);", "grid", true), Names{"u"});
  EXPECT_EQ(
      allocated_variables("  s->u = (double*)grid<double>(n);", "sim::grid<double>(unsigned long)", true),
      Names{"s->u"});
  EXPECT_EQ(allocated_variables("  double *u = grid(n), *v = grid(n);", "grid", true), (Names{"u", "v"}));
  EXPECT_EQ(allocated_variables("  double* u = grids(n);", "grid", true), Names{});
}

// The method or constructor that the line calls, as a debugger names it.
TEST(Variables, AreThoseWhoseFunctionsAllocate) {
  const char* const at =
      "std::map<int, double, std::less<int>, std::allocator<double> >::operator[](int const&)";
  EXPECT_EQ(allocated_variables("  tree[key] = value;", at), Names{"tree"});
  EXPECT_EQ(
      allocated_variables("  s.copy = field;", "std::vector<double>::operator=(std::vector<double> const&)"),
      Names{"s.copy"});
  EXPECT_EQ(allocated_variables("  field.allocate(n);", "Field<double>::allocate(int)"), Names{"field"});
  EXPECT_EQ(allocated_variables("  this->field->allocate(n);", "allocate"), Names{"this->field"});
  EXPECT_EQ(allocated_variables("  Matrix a(n, f(1, 2)), b{n};", "sim::Matrix::Matrix(int, int)"),
            (Names{"a", "b"}));
  EXPECT_EQ(allocated_variables("  sim::Tensor<float> t(n);", "Tensor<float>::Tensor(int)"), Names{"t"});
  EXPECT_EQ(allocated_variables("  table[i] = i, list.push_back(i);", "push_back"), Names{"list"});
  EXPECT_EQ(allocated_variables("  run(n);", "run(int)"), Names{});
}

TEST(Variables, OfConstructorsAreMembers) {
  EXPECT_EQ(initialized_members("  Field(int n) : values(n) {}"), Names{"values"});
  EXPECT_EQ(initialized_members("  Solver() : a(n), b(std::make_unique<double[]>(n)), c(0) {"), Names{"b"});
  EXPECT_EQ(initialized_members("      : a(f(n, 2)),"), Names{"a"});
  EXPECT_EQ(initialized_members("        values(new T[n]()) {}"), Names{"values"});
  EXPECT_EQ(initialized_members("    data = new double[n];"), Names{});
  EXPECT_EQ(initialized_members("    set_up(n);"), Names{});
  EXPECT_EQ(initialized_members("    if (n > 0) data.resize(n);"), Names{});
}

TEST(Variables, AreReturnedByFunctionsThatAllocateForOthers) {
  EXPECT_TRUE(returns_allocation(
      {"  void* made = aligned_alloc(64, n);", "  if (made) return made;", "  exit(1);", "}"}, {"made"}));
  EXPECT_TRUE(returns_allocation({"  return malloc(n);", "}"}, {}));
  EXPECT_TRUE(returns_allocation({"static void* raw(long n) { return calloc(n, 8); }"}, {}));
  EXPECT_TRUE(returns_allocation({"  void* p = malloc(n);", "  return (double*)p;", "}"}, {"p"}));
  EXPECT_FALSE(returns_allocation({"  double* p = malloc(n);", "  return p[0];", "}", "  return p;"}, {"p"}));
  EXPECT_FALSE(returns_allocation({"  double* p = malloc(n);", "  return n;", "}"}, {"p"}));
  EXPECT_FALSE(returns_allocation({"  s->p = malloc(n);", "  return s;", "}"}, {"s->p"}));
  EXPECT_FALSE(returns_allocation({"  run(malloc(n));", "}"}, {}));
  EXPECT_FALSE(returns_allocation({}, {}));
}

TEST(Variables, OfProgramsHaveTheirNamesWithoutMangling) {
  EXPECT_EQ(readable_variable("_ZL5table"), "table");
  EXPECT_EQ(readable_variable("_ZN4mesh5countE"), "mesh::count");
  EXPECT_EQ(readable_variable("__grid_MOD_u"), "grid::u");
  EXPECT_EQ(readable_variable("__BLNK__"), "blank COMMON");
  EXPECT_EQ(readable_variable("saved.3"), "saved") << "of a function";
  EXPECT_EQ(readable_variable("stdout@GLIBC_2.2.5"), "stdout@GLIBC_2.2.5");
  EXPECT_EQ(readable_variable("_Zebra"), "_Zebra");
}

}  // namespace
}  // namespace gable::points
