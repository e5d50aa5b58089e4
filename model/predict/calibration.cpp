#include "model/predict/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/points/kernel_time.hpp"

namespace gable::model {
namespace {

constexpr PredictParameters fitted;

// The number of chains with which the parts take so many seconds.
double chains_for(const std::vector<PartNeeds>& parts, double seconds, RoofEnd end) {
  double few = 1, many = fitted.chains_at_once;
  const auto time = [&](double chains) {
    return predicted_time(parts, {fitted.exposed, fitted.core, chains}, end);
  };
  if (time(few) <= seconds) return few;
  if (time(many) >= seconds) return many;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (few + many) / 2;
    (time(middle) > seconds ? few : many) = middle;
  }
  return (few + many) / 2;
}

// Whether nothing else goes on in a core meanwhile: not of transfers and chains, which overlap.
bool holds_cores(const NeedTime& need) {
  return need.group == NeedTime::Group::core || need.group == NeedTime::Group::flush ||
         need.group == NeedTime::Group::wait || need.group == NeedTime::Group::cores;
}

std::map<std::string, double> held_of(const std::vector<PartNeeds>& parts, double seconds, RoofEnd end) {
  std::map<std::string, double> sums, held;
  for (const PartNeeds& part : parts) {
    for (const NeedTime& need : part.needs) {
      if (holds_cores(need)) sums[need.unit] += need.seconds[static_cast<std::size_t>(end)];
    }
  }
  for (const auto& [unit, sum] : sums) {
    if (sum > seconds) held[unit] = seconds / sum;
  }
  return held;
}

// The time without what the model lacks of this CPU alone.
double shared_seconds(double seconds, double roofs, double carried) {
  if (roofs <= 0 || seconds <= 0) return seconds;
  const double error = std::clamp(std::log(seconds / roofs), -fitted.most_of_error, fitted.most_of_error);
  return seconds * std::exp(-(1 - carried) * error);
}

double data_time(const std::vector<PartNeeds>& parts, double chains) {
  return predicted_time(parts, {fitted.exposed, 0, chains}, RoofEnd::value);
}

}  // namespace

std::vector<PartNeeds> Calibration::held_back(std::vector<PartNeeds> parts) const {
  for (PartNeeds& part : parts) {
    for (NeedTime& need : part.needs) {
      const auto found = held.find(need.unit);
      if (found == held.end() || !holds_cores(need)) continue;
      for (double& each : need.seconds) each *= found->second;
    }
  }
  return parts;
}

double Calibration::excess_time(const std::vector<PartNeeds>& parts, double core, bool waits) const {
  const double waiting = waits && data > 0 ? std::min(excess, fitted.waits_for_data * data) : 0;
  const double longer = waiting > 0 ? data_time(parts, chains) / data : 0;
  return waiting * longer + (excess - waiting) * core;
}

double Calibration::time(const std::vector<PartNeeds>& parts, double core, bool waits, RoofEnd end) const {
  const double roofs = scale * predicted_time(parts, {fitted.exposed, fitted.core, chains}, end);
  const double largest = predicted_time(parts, {0, 1, chains}, end);
  return std::max(roofs, least * largest) + excess_time(parts, core, waits) + kernel * core;
}

Calibration calibrated(const std::vector<PartNeeds>& needs, const Point& point, RoofEnd end, double carried) {
  Calibration found;
  found.kernel = point.seconds * (1 - user_share(point));
  const double seconds = point.seconds - found.kernel;
  found.held = held_of(needs, seconds, end);
  const std::vector<PartNeeds> parts = found.held_back(needs);
  found.chains = chains_for(parts, seconds, end);
  const double roofs = predicted_time(parts, {fitted.exposed, fitted.core, found.chains}, end);
  found.data = data_time(parts, found.chains);
  const double shared = shared_seconds(seconds, roofs, carried);
  if (roofs > seconds) {
    found.scale = shared / roofs;
    found.least = std::min(1.0, shared / predicted_time(parts, {0, 1, found.chains}, end));
  } else {
    found.excess = shared - roofs;
  }
  found.explained = point.seconds > 0 ? std::min(roofs, seconds) / point.seconds : 0;
  return found;
}

}  // namespace gable::model
