#include "kmaf/replay/machine/traffic_means.hpp"

#include <bit>
#include <cmath>
#include <numeric>

namespace gable::kmaf {

namespace {

void add_lines(std::vector<double>& sum, const std::vector<double>& before, const std::vector<double>& now,
               double share) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * (now[i] - before[i]);
}

}  // namespace

TrafficMeans::TrafficMeans(const MemorySystem& memory, const SimulatedMachine& machine)
    : memory_(memory), machine_(machine), before_(totals()), lines_(before_.lines) {}

TrafficMeans::Totals TrafficMeans::totals() const {
  const std::vector<double>& links = memory_.link_bytes();
  return {std::bit_cast<Numbers>(memory_.counts()), std::accumulate(links.begin(), links.end(), 0.0),
          memory_.memory_lines()};
}

void TrafficMeans::begin() {
  before_ = totals();
}

void TrafficMeans::end(double share) {
  const Totals now = totals();
  for (std::size_t i = 0; i < counts_.size(); ++i)
    counts_[i] += share * static_cast<double>(now.numbers[i] - before_.numbers[i]);
  link_bytes_ += (now.link_bytes - before_.link_bytes) * share;
  add_lines(lines_.read, before_.lines.read, now.lines.read, share);
  add_lines(lines_.written, before_.lines.written, now.lines.written, share);
}

AccessCounts TrafficMeans::counts() const {
  Numbers numbers;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    numbers[i] = static_cast<std::uint64_t>(std::llround(counts_[i]));
  return std::bit_cast<AccessCounts>(numbers);
}

std::vector<model::NodeAccess> TrafficMeans::access() const {
  constexpr double line_bytes = 64;
  const std::size_t memories = machine_.memories.size();
  std::vector<model::NodeAccess> access;
  for (std::size_t i = 0; i < lines_.read.size(); ++i) {
    if (lines_.read[i] + lines_.written[i] <= 0) continue;
    access.push_back({static_cast<int>(machine_.memories[i % memories].node),
                      machine_.hierarchy.clusters[i / memories], line_bytes * lines_.read[i],
                      line_bytes * lines_.written[i]});
  }
  return access;
}

double TrafficMeans::access_nj() const {
  const Energy& energy = machine_.energy;
  const AccessCounts counts = this->counts();
  const auto times = [](std::uint64_t count, double nj) { return static_cast<double>(count) * nj; };
  const std::uint64_t beyond_l2 = counts.l3_hits + counts.misses, beyond_l1 = counts.l2_hits + beyond_l2;
  return times(counts.accesses, energy.l1_nj) + times(beyond_l1, energy.l2_nj) +
         times(beyond_l2, energy.l3_nj) +
         times(counts.from_local + counts.from_remote + counts.write_backs, energy.memory_nj) +
         link_bytes_ * energy.link_nj_per_byte;
}

}  // namespace gable::kmaf
