#include "tests/model/sampled_machines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace gable::model {
namespace {

class Hypercube {
 public:
  Hypercube(int count, unsigned seed) : count_(count), random_(seed) {}

  /// One value in each of the parts of [lo, hi], in a drawn order.
  std::vector<double> linear(double lo, double hi) {
    std::vector<int> order(static_cast<std::size_t>(count_));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    std::vector<double> values;
    for (const int part : order) values.push_back(lo + (hi - lo) * (part + drawn()) / count_);
    return values;
  }

  std::vector<double> logarithmic(double lo, double hi) {
    std::vector<double> values = linear(std::log(lo), std::log(hi));
    for (double& value : values) value = std::exp(value);
    return values;
  }

  std::vector<int> whole(double lo, double hi) {
    std::vector<int> values;
    for (const double value : logarithmic(lo, hi)) values.push_back(static_cast<int>(std::lround(value)));
    return values;
  }

 private:
  double drawn() { return static_cast<double>(random_()) * 0x1p-64; }  // the same with every library

  int count_;
  std::mt19937_64 random_;
};

std::vector<SimulatedMemory> memories(Hypercube& cube, std::size_t count) {
  const std::vector<int> channels = cube.whole(1, 16), batch = cube.whole(1, 24);
  const std::vector<double> read_ns = cube.linear(3, 8), write = cube.linear(1, 3);
  const std::vector<double> turnaround_ns = cube.linear(0, 15), latency_ns = cube.logarithmic(60, 400);
  std::vector<SimulatedMemory> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    drawn.push_back({channels[i], read_ns[i], write[i] * read_ns[i], turnaround_ns[i], latency_ns[i],
                     batch[i], i % 2 == 1});
  }
  return drawn;
}

// The limit of the channels, or of the cores' outstanding requests.
double lines_per_ns(const SimulatedMemory& memory, double lines_waited_for) {
  return std::min(memory.channels / memory.read_ns, lines_waited_for / (memory.latency_ns + memory.read_ns));
}

}  // namespace

std::vector<SimulatedMachine> sampled_machines(int count, unsigned seed) {
  Hypercube cube(count, seed);
  const auto all = static_cast<std::size_t>(count);
  const std::vector<SimulatedMemory> one = memories(cube, all), other = memories(cube, all);
  const std::vector<int> cores = cube.whole(1, 32), loads = cube.whole(4, 32), stores = cube.whole(4, 32);
  const std::vector<double> ahead = cube.linear(0, 3);
  std::vector<SimulatedMachine> machines;
  for (std::size_t i = 0; i < all; ++i) {
    const double waiting = 1.0 * cores[i] * loads[i];
    const bool ascending = lines_per_ns(one[i], waiting) <= lines_per_ns(other[i], waiting);
    machines.push_back({"sampled",
                        ascending ? one[i] : other[i],
                        ascending ? other[i] : one[i],
                        {cores[i], loads[i], stores[i], 0.3, static_cast<int>(ahead[i])}});
  }
  return machines;
}

}  // namespace gable::model
