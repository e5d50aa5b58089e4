// Two loops of the C++ library, which the compiler puts into main.

#include <cstdio>
#include <numeric>
#include <vector>

int main() {
  const std::vector<double> numbers(100000, 1.5);
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  const double product = std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0);
  std::printf("%g %g\n", sum, product);
  return 0;
}
