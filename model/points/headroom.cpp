#include "model/points/headroom.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/points/verdict_words.hpp"

namespace gable::model {
namespace {

// A number of percent that one can read, or a factor.
std::string number(double percent, const char* unit = "") {
  constexpr double readable = 10000;
  return percent < readable ? fmt::format("{:.0f}{}", percent, unit)
                            : fmt::format("{:.0f} times", percent / 100);
}

}  // namespace

void set_headroom(Reading& reading, bool more_threads, double higher) {
  const Limit& limit = reading.limit;
  const double rate = reached(reading, limit) * limit.value;
  const auto up_to = [&](double roof) {
    return std::max(0.0, reading.attainable_percent * roof / rate - 100);
  };
  reading.headroom_lo = up_to(limit.lo);
  reading.headroom_hi = up_to(std::max(limit.hi, higher));
  reading.headroom_percent = reading.headroom_lo > 0 ? up_to(limit.value) : 0;
  reading.headroom_known = !more_threads || bound_by(reading, limit, reading.attainable_percent) != Bound::no;
}

bool has_headroom(const Reading& reading) {
  return reading.headroom_known &&
         100 * reading.reached_percent >= far_below_percent * reading.attainable_percent;
}

std::string headroom_text(const Reading& reading) {
  if (!has_headroom(reading)) return "not known";
  const std::string value = number(reading.headroom_percent, " %"), lo = number(reading.headroom_lo),
                    hi = number(reading.headroom_hi, " %");
  if (number(reading.headroom_hi) == lo) return value;
  if (reading.headroom_lo <= 0 || !reading.limit.fitted) return fmt::format("{} to {}", lo, hi);
  return fmt::format("{} ({} to {})", value, lo, hi);
}

}  // namespace gable::model
