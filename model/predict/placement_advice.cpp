#include "model/predict/placement_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/points/verdict_words.hpp"

namespace gable::model {
namespace {

// Smaller gains are not mentioned: that are most likely, or only possible.
constexpr double worth_a_word = 1.05, worth_a_try = 1.1;

// How many times as fast the Point is at the least, most likely, and at the most.
struct Gain {
  double least = 0, likely = 0, most = 0;
};

Gain gain_of(const Forecast& forecast) {
  return {1 / forecast.ratio_hi, 1 / forecast.ratio, 1 / forecast.ratio_lo};
}

bool has_time(const PlacedForecast& place) {
  return place.forecast.status == Status::ok && place.forecast.ratio_lo > 0;
}

double seconds_of(const PlacedForecast& place) {
  return place.forecast.seconds;
}

double least_seconds_of(const PlacedForecast& place) {
  return place.forecast.lo;
}

// Whether the whole interval is faster than that of the Point's time.
bool is_faster(const Point& point, const Forecast& forecast) {
  const double now = point.seconds_lo > 0 ? std::min(point.seconds, point.seconds_lo) : point.seconds;
  return forecast.hi < now && gain_of(forecast).likely >= worth_a_word;
}

bool may_be_faster(const PlacedForecast& place) {
  return gain_of(place.forecast).most >= worth_a_try;
}

// Roofs that were not measured may be too wide for an advice.
bool is_of_measured_roofs(const PlacedForecast& place) {
  constexpr double wide = 10;  // per cent
  return place.forecast.missing_percent < wide;
}

// Without bytes by level, a Point far below its roof may be slow for any reason.
bool tells_little(const Point& point, const Reading& reading) {
  return point.levels.empty() && (reading.reached_percent < far_below_percent || !reading.headroom_known);
}

}  // namespace

std::string placement_advice(const Point& point, const Reading& reading,
                             const std::vector<PlacedForecast>& places) {
  using Places = std::vector<PlacedForecast>;
  const auto keep = [](Places from, auto is_kept) {
    std::erase_if(from, [&](const PlacedForecast& place) { return !is_kept(place); });
    return from;
  };
  const Places known = keep(places, has_time);
  if (known.empty() || reading.contradictory) return {};
  const Places faster =
      keep(known, [&](const PlacedForecast& place) { return is_faster(point, place.forecast); });
  if (!faster.empty()) {
    const PlacedForecast& best = *std::ranges::min_element(faster, {}, seconds_of);
    const Gain gain = gain_of(best.forecast);
    return fmt::format("With {} it would be {:.2f} times as fast ({:.2f} to {:.2f}).", best.words,
                       gain.likely, gain.least, gain.most);
  }
  if (tells_little(point, reading)) return {};
  const Places may_be = keep(known, may_be_faster);
  if (may_be.empty())
    return known.size() == places.size() ? "Another placement of its data gains little." : "";
  const Places measured = keep(may_be, is_of_measured_roofs);
  if (measured.empty()) return {};
  const PlacedForecast& most = *std::ranges::min_element(measured, {}, least_seconds_of);
  return fmt::format("With {} it could be up to {:.2f} times as fast.", most.words,
                     gain_of(most.forecast).most);
}

}  // namespace gable::model
