// The manager's part of the report.

#include <algorithm>
#include <numeric>

#include "kmaf/live/policies/manager.hpp"

namespace gable::kmaf::live {

std::vector<AccessShare> access_shares(const AccessWeights& weights, bool with_stores) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0,
                                     [](double sum, const auto& each) { return sum + each.second.all; });
  std::vector<AccessShare> shares;
  for (const auto& [place, weight] : weights) {
    if (weight.all <= 0) continue;
    AccessShare& share = shares.emplace_back();
    share.cluster = place.first;
    share.node = place.second;
    share.share = weight.all / all;
    if (with_stores) share.stores = weight.stores / weight.all;
  }
  return shares;
}

double effective_samples(const AccessWeights& weights) {
  double sum = 0, squares = 0;
  for (const auto& [place, weight] : weights) {
    sum += weight.all;
    squares += weight.squares;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// Samples come faster at some times than at others: every interval counts with its length.
AccessWeights Manager::access_weights() const {
  AccessWeights weights;
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    const double end = i + 1 < tallies_.size() ? tallies_[i + 1].seconds : last_;
    const Tally& tally = tallies_[i];
    const auto all = static_cast<double>(tally.locality.local + tally.locality.remote);
    for (const auto& [place, count] : tally.access) {
      const double each = std::max(end - tally.seconds, 0.0) / all;
      weights[place].all += each * count.all;
      weights[place].stores += each * count.stores;
      weights[place].squares += each * each * count.all;
    }
  }
  return weights;
}

// The tables drop freed memory, so this reports their maximum.
void Manager::note_memory() {
  table_bytes_ = std::max(table_bytes_, engine_.table().bytes());
  index_bytes_ = std::max(index_bytes_, engine_.table().index_bytes());
  matrix_bytes_ = std::max(matrix_bytes_, engine_.matrix().bytes());
}

void Manager::finish(Report& report) {
  report.samples = samples_;
  report.passed_over = passed_over_;
  report.not_memory = not_memory_;
  report.lost = sampler_.lost();
  report.rate_asked = wanted_;
  report.rate_fixed = sampler_.fixed_rate();
  report.engine = engine_.counts();
  report.pages = mover_.moves();
  if (mover_.waiting() > 0) report.pages.failed["the program ended first"] += mover_.waiting();
  report.before = before_;
  report.shared_objects = sampler_.shared_objects();
  const double from = last_ - (last_ - setup_.began) / 4;
  for (const Tally& tally : tallies_) {
    if (tally.seconds < from) continue;
    report.after.local += tally.locality.local;
    report.after.remote += tally.locality.remote;
  }
  const AccessWeights weights = access_weights();
  report.access = access_shares(weights, sampler_.tells_stores());
  report.access_samples = effective_samples(weights);
  report.spent = spent_;
  report.fault_seconds = setup_.fault_seconds;
  report.unit_bytes = setup_.config.page_bytes;
  report.table_bytes = table_bytes_;
  report.index_bytes = index_bytes_;
  report.matrix_bytes = matrix_bytes_;
  if (learner_) report.learned = learner_->knowledge();
}

}  // namespace gable::kmaf::live
