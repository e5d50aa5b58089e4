#include "model/virt/trace.hpp"

#include <algorithm>
#include <cmath>

#include "model/virt/random.hpp"

namespace gable::model {

NoiseTrace::NoiseTrace(double seconds, const std::vector<Detour>& detours) : seconds_(seconds) {
  constexpr double us = 1e-6;
  lost_until_.push_back(0);
  for (const Detour& detour : detours) {
    begins_.push_back(detour.begin_us * us - lost_);
    lost_ += detour.length_us * us;
    lost_until_.push_back(lost_);
    longest_ = std::max(longest_, detour.length_us * us);
  }
  seconds_ = std::max(seconds_, begins_.empty() ? 0 : begins_.back() + lost_);
}

// Lost to detours that begin before so much is computed, in one pass of the record.
double NoiseTrace::lost_before(double busy) const {
  const auto next = std::ranges::lower_bound(begins_, busy);
  return lost_until_[static_cast<std::size_t>(next - begins_.begin())];
}

// How many detours have begun.
std::size_t NoiseTrace::begun_by(double start) const {
  std::size_t before = 0, after = begins_.size();
  while (before < after) {
    const std::size_t middle = (before + after) / 2;
    if (begins_[middle] + lost_until_[middle] <= start) {
      before = middle + 1;
    } else {
      after = middle;
    }
  }
  return before;
}

double NoiseTrace::age(double start) const {
  const std::size_t begun = begun_by(start);
  if (begun == 0) return 0;
  const double computed = start - lost_until_[begun],
               age = start - begins_[begun - 1] - lost_until_[begun - 1];
  return computed < begins_[begun - 1] ? age : 0;
}

double NoiseTrace::delay(double start, double work) const {
  if (begins_.empty() || work <= 0) return 0;
  const double turn = seconds_ - lost_;  // computed in one pass
  // The detour that is under way at the start, if there is one, is part of the delay as far as it is left.
  const std::size_t before = begun_by(start);
  double busy = start - lost_until_[before], rest = 0;
  if (before > 0 && busy < begins_[before - 1]) {
    rest = begins_[before - 1] - busy;
    busy = begins_[before - 1];
  }
  const double turns = std::floor((busy + work) / turn), end = busy + work - turns * turn;
  return rest + turns * lost_ + lost_before(end) - lost_until_[before];
}

std::vector<NoiseTrace> recorded_traces(const std::vector<VirtSample>& samples) {
  std::vector<NoiseTrace> traces;
  for (const VirtSample& sample : samples) {
    if (sample.spec.kind == VirtKind::noise && sample.status == Status::ok)
      traces.emplace_back(sample.seconds.front(), sample.detours);
  }
  return traces;
}

NoiseTrace periodic_trace(double share, double period) {
  constexpr int periods = 1000;  // so that a part of the record is like the whole
  std::vector<Detour> detours;
  for (int i = 0; i < periods; ++i) detours.push_back({i * period * 1e6, share * period * 1e6});
  return {periods * period, detours};
}

NoiseTrace random_trace(double share, double period, double seconds) {
  Random random(7);
  const double length = share * period / (1 - share);  // detours do not begin during others
  std::vector<Detour> detours;
  for (double at = 0;;) {
    at += random.exponential(period);
    const double lasts = random.exponential(length);
    if (at + lasts > seconds) break;
    detours.push_back({at * 1e6, lasts * 1e6});
    at += lasts;
  }
  return {seconds, detours};
}

}  // namespace gable::model
