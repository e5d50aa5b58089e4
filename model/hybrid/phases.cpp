#include "model/hybrid/phases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gable::model {

namespace {

// If the ends of two alternations are closer than this share of the whole way, they are one; the difference
// is rounding to pages.
constexpr double together = 0.02;
constexpr double shortest = 1e-12;  // smaller shares of the whole way are rounding errors, not phases

// A buffer that lies in both memories; `share` of it alternates between them.
struct Buffer {
  double slow, fast;

  double size() const { return slow + fast; }
  double share() const { return size() > 0 ? 2 * std::min(slow, fast) / size() : 0; }
  // The part that lies in each memory between two positions, 0 to 1.
  Buffer part(double from, double to) const {
    const double all = (to - from) * size();
    const double alternating = std::clamp(share() - from, 0.0, to - from) * size();
    const double rest = all - alternating;
    return slow > fast ? Buffer{alternating / 2 + rest, alternating / 2}
                       : Buffer{alternating / 2, alternating / 2 + rest};
  }
};

TermTime turns_of(const Quantities& bytes, const Quantities& seconds, Transfer load, Transfer store) {
  if (bytes[load] <= 0 || bytes[store] <= 0) return {};
  TermTime time = {
      seconds[load] * bytes[store] / std::sqrt(bytes[load] * bytes[load] + bytes[store] * bytes[store]), {}};
  time.slope[load] = time.seconds;
  return time;
}

TermTime contention_of(const Quantities& seconds) {
  const auto longest = std::ranges::max_element(seconds);
  double squares = 0;
  for (const double t : seconds) squares += t * t;
  if (squares == *longest * *longest) return {};  // alone
  const double norm = std::sqrt(squares);
  TermTime time = {norm - *longest, {}};
  for (std::size_t x = 0; x < seconds.size(); ++x) time.slope[x] = seconds[x] * seconds[x] / norm;
  time.slope[static_cast<std::size_t>(longest - seconds.begin())] -= *longest;
  return time;
}

}  // namespace

Quantities known_bandwidths(const PerTransfer<Bandwidth>& bandwidths) {
  Quantities values = {};
  for (const Transfer x : transfers) values[x] = bandwidths[x].gb_per_s ? bandwidths[x].gb_per_s->value : 0;
  return values;
}

Phases phases_of(const Quantities& bytes, Law law) {
  Phases phases;
  if (law == Law::equation5) {
    phases.bytes[0] = bytes;
    phases.count = 1;
    return phases;
  }
  const Buffer read = {bytes[Transfer::ls], bytes[Transfer::lf]};
  const Buffer write = {bytes[Transfer::ss], bytes[Transfer::sf]};
  std::array<double, 3> ends = {1, 1, 1};
  if (read.size() > 0) ends[0] = read.share();
  if (write.size() > 0) ends[1] = write.share();
  std::ranges::sort(ends);
  if (ends[1] < 1 && ends[1] - ends[0] < together) ends[0] = ends[1];
  double from = 0;
  for (const double to : ends) {
    if (to - from < shortest) continue;
    const Buffer loads = read.part(from, to), stores = write.part(from, to);
    phases.bytes[static_cast<std::size_t>(phases.count++)] = {
        {loads.slow, stores.slow, loads.fast, stores.fast}};
    from = to;
  }
  return phases;
}

Margin margin(const Quantities& seconds) {
  const Transfer first = dominating(seconds);
  Margin margin = {first, first, std::numeric_limits<double>::infinity()};
  double next = 0;
  for (const Transfer x : transfers) {
    if (x == first || seconds[x] <= next) continue;
    next = seconds[x];
    margin = {first, x, std::log(seconds[first] / next)};
  }
  return margin;
}

bool is_pure(const Quantities& bytes) {
  return std::ranges::count(bytes, 0.0) == 3;
}

Limits limits(const Quantities& seconds) {
  return {*std::ranges::max_element(seconds), total(seconds)};
}

PerTerm<TermTime> term_times(const Quantities& bytes, const Quantities& seconds) {
  return {{turns_of(bytes, seconds, Transfer::ls, Transfer::ss),
           turns_of(bytes, seconds, Transfer::lf, Transfer::sf), contention_of(seconds)}};
}

}  // namespace gable::model
