#include "model/profile/spans.hpp"

#include <algorithm>
#include <cmath>

namespace gable::model {
namespace {

// Returns the binary logarithm of the middle of a bucket's distances, in bytes.
double log_of_bucket(int bucket) {
  return std::log2(profile_line_bytes) + (bucket - 0.5) / 4;
}

// Returns the sums for `bytes` whose lines have the spans of those that a cache fetches. `cache_log` is the
// logarithm of its size.
SpanSums sums_for(double bytes, const LineUses& uses, AccessOrder order, double cache_log,
                  double footprint_log) {
  SpanSums sums;
  const auto index = static_cast<std::size_t>(order);
  for (const Distances* distances : {&uses.read[index], &uses.written[index]}) {
    for (const auto& [bucket, number] : *distances) {
      const double log = bucket == never_used         ? footprint_log
                         : bucket == written_by_other ? cache_log
                                                      : log_of_bucket(bucket);
      if (log >= cache_log) sums.add(number, log);
    }
  }
  if (sums.bytes <= 0) sums.add(1, cache_log);
  return sums *= bytes / sums.bytes;
}

}  // namespace

Spans& Spans::operator+=(const Spans& more) {
  irregular += more.irregular;
  chained += more.chained;
  return *this;
}

Spans spans_of(const LineUses& uses, const Traffic& traffic, double cache_bytes, double footprint) {
  const double cache_log = std::log2(std::max<double>(cache_bytes, profile_line_bytes));
  const double footprint_log = std::log2(std::max(footprint, cache_bytes));
  const auto of = [&](AccessOrder order) {
    const double bytes = traffic.fetched(order);
    return bytes > 0 ? sums_for(bytes, uses, order, cache_log, footprint_log) : SpanSums();
  };
  return {of(AccessOrder::independent), of(AccessOrder::chained)};
}

double footprint_of(const Profile& profile) {
  double lines = 0;
  for (const ProfileUses& uses : profile.uses) {
    for (const auto& orders : {uses.all.read, uses.all.written}) {
      for (const Distances& distances : orders) {
        const auto first = distances.find(never_used);
        if (first != distances.end()) lines += first->second;
      }
    }
  }
  return lines * profile_line_bytes;
}

Traffic with_streams(Traffic traffic, const Traffic& streams) {
  constexpr auto in_order = static_cast<std::size_t>(AccessOrder::sequential);
  traffic.read[in_order] = streams.read[in_order];
  traffic.written[in_order] = streams.written[in_order];
  traffic.written_back = streams.written_back;
  return traffic;
}

}  // namespace gable::model
