#include "model/profile/traffic.hpp"

#include <cmath>
#include <numeric>

namespace gable::model {
namespace {

// The part of a bucket's distances that are below `distance`.
double part_below(int bucket, double distance) {
  if (bucket >= never_used) return 0;
  if (bucket == 0) return distance > 0 ? 1 : 0;
  if (distance < 1) return 0;
  const double position = 4 * std::log2(distance) - (bucket - 1);
  return std::fmin(std::fmax(position, 0), 1);
}

}  // namespace

double Traffic::fetched() const {
  return std::accumulate(read.begin(), read.end(), 0.0) +
         std::accumulate(written.begin(), written.end(), 0.0);
}

double Traffic::fetched(AccessOrder order) const {
  const int index = static_cast<int>(order);
  return read[index] + written[index];
}

Traffic& Traffic::operator+=(const Traffic& more) {
  for (int order = 0; order < access_orders; ++order) {
    read[order] += more.read[order];
    written[order] += more.written[order];
  }
  written_back += more.written_back;
  streamed += more.streamed;
  return *this;
}

double at_least(const Distances& distances, double distance) {
  double sum = 0;
  for (const auto& [bucket, lines] : distances) sum += lines * (1 - part_below(bucket, distance));
  return sum;
}

Traffic traffic_behind(const LineUses& uses, double cache_bytes) {
  const double lines = cache_bytes / profile_line_bytes;
  Traffic traffic;
  for (int order = 0; order < access_orders; ++order) {
    traffic.read[order] = profile_line_bytes * at_least(uses.read[order], lines);
    traffic.written[order] = profile_line_bytes * at_least(uses.written[order], lines);
  }
  for (const auto& [bucket, difference] : uses.written_back) {
    traffic.written_back += profile_line_bytes * difference * part_below(bucket, lines);
  }
  return traffic;
}

}  // namespace gable::model
