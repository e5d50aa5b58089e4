#include "kmaf/engine/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gable::kmaf {

namespace {

constexpr double least_gain = 0.01;
constexpr double much_slower = 0.9;
constexpr std::size_t fewest_reports = 3;  // that tell what is chance

double mean(const std::vector<double>& rates) {
  return rates.empty() ? 0
                       : std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
}

// The square of the mean's standard error; 0 for one rate.
double squared_error(const std::vector<double>& rates) {
  if (rates.size() < 2) return 0;
  const double center = mean(rates), count = static_cast<double>(rates.size());
  double squares = 0;
  for (const double rate : rates) squares += (rate - center) * (rate - center);
  return squares / (count - 1) / count;
}

}  // namespace

Trial::Trial(int reports) : reports_(static_cast<std::size_t>(std::max(reports, 1))) {}

std::optional<bool> Trial::report(double rate, bool settled) {
  unsettled_ = settled ? 0 : unsettled_ + 1;
  if (settled) rates_.push_back(rate);
  if (rates_.size() > reports_) rates_.erase(rates_.begin());
  if (!runs()) return {};
  const bool ends =
      rate < much_slower * *std::ranges::min_element(before_) || unsettled_ >= reports_ || is_slower();
  if (!ends && rates_.size() < reports_) return {};
  const bool keeps = !ends && is_faster();
  before_.clear();
  return keeps;
}

double Trial::gain() const {
  return mean(rates_) - mean(before_);
}

double Trial::chance() const {
  return 2 * std::sqrt(squared_error(rates_) + squared_error(before_));
}

bool Trial::is_faster() const {
  return gain() > least_gain * mean(before_) && gain() > chance();
}

bool Trial::is_slower() const {
  return rates_.size() >= fewest_reports && gain() < -least_gain * mean(before_) && gain() < -chance();
}

double Trial::rate() const {
  return mean(rates_);
}

}  // namespace gable::kmaf
