#include "model/predict/shares.hpp"

#include <map>
#include <string>

#include "base/sorting.hpp"

namespace gable::model {
namespace {

// What a measured time has beside the needs of the functions.
struct Remainder {
  double excess = 0, kernel = 0;  // seconds
};

std::vector<Forecast::Share> largest_first(const std::map<std::string, double>& parts, double seconds) {
  double sum = 0;
  for (const auto& [what, part] : parts) sum += part;
  std::vector<Forecast::Share> shares;
  for (const auto& [what, part] : parts) shares.push_back({what, sum > 0 ? part * seconds / sum : 0});
  sort_down_by(shares, &Forecast::Share::seconds);
  return shares;
}

ForecastShares divided_time(const std::vector<PartNeeds>& parts, double seconds, const Overlap& overlap,
                            double scale, const Remainder& remainder) {
  std::map<std::string, double> binds, functions;
  double bytes = 0;
  for (const PartNeeds& part : parts) bytes += part.instruction_bytes;
  for (const PartNeeds& part : parts) {
    const PartTime time = predicted_time(part, overlap, RoofEnd::value);
    if (time.seconds > 0) binds[time.binds] += scale * time.seconds;
    const double own = bytes > 0 ? part.instruction_bytes / bytes : 1.0 / static_cast<double>(parts.size());
    functions[part.name] += scale * time.seconds + own * remainder.excess;
  }
  if (remainder.excess > 0) binds[not_explained] += remainder.excess;
  if (remainder.kernel > 0) binds[in_kernel] += remainder.kernel;
  if (remainder.kernel > 0) functions[in_kernel] += remainder.kernel;
  return {largest_first(binds, seconds), largest_first(functions, seconds)};
}

}  // namespace

ForecastShares parts_of_time(const std::vector<PartNeeds>& parts, double seconds) {
  return divided_time(parts, seconds, Overlap(), 1, {});
}

ForecastShares parts_of_time(const std::vector<PartNeeds>& needs, double seconds,
                             const Calibration& calibration, double core) {
  const std::vector<PartNeeds> parts = calibration.held_back(needs);
  Overlap overlap;
  overlap.chains = calibration.chains;
  const double excess =
      (calibration.excess_time(parts, core, false) + calibration.excess_time(parts, core, true)) / 2;
  return divided_time(parts, seconds, overlap, calibration.scale, {excess, calibration.kernel * core});
}

}  // namespace gable::model
