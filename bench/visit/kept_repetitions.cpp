#include "bench/visit/kept_repetitions.hpp"

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"
#include "model/records/crowding.hpp"

namespace gable::bench {

void KeptRepetitions::add(const Repetitions& cut_out, const std::vector<std::size_t>& threads,
                          const std::vector<std::size_t>& loaders) {
  for (std::size_t r = 0; r < cut_out.disturbed.size(); ++r) {
    if (cut_out.disturbed[r]) {
      ++stalled_;
      continue;
    }
    Repetition& each = repetitions_.emplace_back();
    each.seconds = cut_out.seconds;
    each.adds_per_cycle = cut_out.adds_per_cycle[threads.front()][r];
    for (const std::size_t t : threads) {
      each.work += cut_out.work[t][r];
      each.adds_per_cycle = std::min(each.adds_per_cycle, cut_out.adds_per_cycle[t][r]);
    }
    for (const std::size_t t : loaders) each.load += cut_out.work[t][r];
  }
}

std::vector<double> KeptRepetitions::rates_alone(double most) const {
  std::vector<double> rates;
  for (const Repetition& each : repetitions_)
    if (!model::is_crowded(each.adds_per_cycle, most)) rates.push_back(each.work / each.seconds);
  return rates;
}

void KeptRepetitions::conclude(double most, model::Sample& sample) const {
  const bool crowded_too = rates_alone(most).size() < least_repetitions;
  sample.disturbed = stalled_;
  std::vector<double> adds;
  for (const Repetition& each : repetitions_) {
    if (!crowded_too && model::is_crowded(each.adds_per_cycle, most)) {
      ++sample.crowded;
      continue;
    }
    sample.seconds.push_back(each.seconds);
    sample.work.push_back(std::round(each.work));
    if (has_load(sample.spec.kind)) sample.load_bytes.push_back(std::round(each.load));
    if (each.adds_per_cycle > 0) adds.push_back(each.adds_per_cycle);
  }
  sample.adds_per_cycle = upper_median(adds);
}

}  // namespace gable::bench
