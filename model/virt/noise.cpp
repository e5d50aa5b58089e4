#include "model/virt/noise.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/virt/random.hpp"

namespace gable::model {
namespace {

// Shares of the time that is lost in consecutive blocks of about 20 ms.
std::vector<double> block_shares(const std::vector<const VirtSample*>& records) {
  constexpr double block_seconds = 0.02;
  std::vector<double> shares;
  for (const VirtSample* record : records) {
    const double seconds = record->seconds.front();
    const auto count = static_cast<std::size_t>(std::max(1.0, std::floor(seconds / block_seconds)));
    const double block_us = seconds * 1e6 / static_cast<double>(count);
    std::vector<double> lost(count, 0);
    for (const Detour& detour : record->detours) {
      double at = detour.begin_us, left = detour.length_us;
      while (left > 0) {
        const std::size_t block = std::min(count - 1, static_cast<std::size_t>(at / block_us));
        const double room = block + 1 == count ? left : static_cast<double>(block + 1) * block_us - at;
        const double here = std::min(left, std::max(room, 1e-9));
        lost[block] += here;
        left -= here;
        at += here;
      }
    }
    for (const double each : lost) shares.push_back(each / block_us);
  }
  return shares;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// A bootstrap of runs of blocks, because neighbouring ones depend on each other.
Estimate lost_share(const std::vector<const VirtSample*>& records) {
  constexpr int draws = 400;
  constexpr std::size_t run = 4;
  const std::vector<double> shares = block_shares(records);
  const double value = mean(shares);
  std::vector<double> means;
  Random random(2);
  for (int draw = 0; draw < draws; ++draw) {
    double sum = 0;
    for (std::size_t i = 0, at = 0; i < shares.size(); ++i, ++at) {
      if (i % run == 0) at = random.below(shares.size());
      sum += shares[at % shares.size()];
    }
    means.push_back(sum / static_cast<double>(shares.size()));
  }
  constexpr double low = 0.025, high = 0.975;
  return {value, std::min(value, quantile(means, low)), std::max(value, quantile(means, high)),
          static_cast<int>(shares.size())};
}

std::vector<NoiseBin> histogram_of(const std::vector<double>& lengths, double threshold) {
  std::vector<NoiseBin> bins;
  if (lengths.empty()) return bins;
  const int first = static_cast<int>(std::floor(std::log2(std::max(threshold, 1e-3))));
  const int last = static_cast<int>(std::floor(std::log2(std::ranges::max(lengths))));
  for (int power = first; power <= last; ++power) bins.push_back({std::exp2(power), 0, 0});
  for (const double length : lengths) {
    const int power = std::clamp(static_cast<int>(std::floor(std::log2(length))), first, last);
    NoiseBin& bin = bins[static_cast<std::size_t>(power - first)];
    bin.detours += 1;
    bin.lost_us += length;
  }
  return bins;
}

Noise noise_of_cpu(int cpu, const std::vector<const VirtSample*>& records) {
  Noise noise;
  noise.cpu = cpu;
  std::vector<double> lengths;
  for (const VirtSample* record : records) {
    noise.seconds += record->seconds.front();
    noise.steal_percent += record->steal_percent * record->seconds.front();
    noise.threshold_us = std::max(noise.threshold_us, record->threshold_us);
    for (const Detour& detour : record->detours) lengths.push_back(detour.length_us);
  }
  noise.steal_percent /= noise.seconds;
  noise.detours = static_cast<int>(lengths.size());
  noise.share = lost_share(records);
  if (!lengths.empty()) {
    noise.longest_us = std::ranges::max(lengths);
    noise.median_us = median(lengths);
  }
  noise.histogram = histogram_of(lengths, noise.threshold_us);
  noise.sources = periodic_sources(records);
  return noise;
}

}  // namespace

std::vector<Noise> noise_of(const std::vector<VirtSample>& samples) {
  std::map<int, std::vector<const VirtSample*>> by_cpu;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind == VirtKind::noise && sample.status == Status::ok)
      by_cpu[sample.spec.cpu].push_back(&sample);
  }
  std::vector<Noise> all;
  for (const auto& [cpu, records] : by_cpu) all.push_back(noise_of_cpu(cpu, records));
  return all;
}

}  // namespace gable::model
