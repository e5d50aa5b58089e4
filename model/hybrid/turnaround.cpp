#include "model/hybrid/turnaround.hpp"

#include <algorithm>
#include <cmath>

namespace gable::model {
namespace {

TermTime turns_of(const Quantities& bytes, const Quantities& seconds, Transfer load, Transfer store) {
  if (bytes[load] <= 0 || bytes[store] <= 0) return {};
  TermTime time = {
      seconds[load] * bytes[store] / std::sqrt(bytes[load] * bytes[load] + bytes[store] * bytes[store]), {}};
  time.slope[load] = time.seconds;
  return time;
}

TermTime contention_of(const Quantities& seconds) {
  const auto longest = std::max_element(seconds.begin(), seconds.end());
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

PerTerm<TermTime> term_times(const Quantities& bytes, const Quantities& seconds) {
  return {{turns_of(bytes, seconds, Transfer::ls, Transfer::ss),
           turns_of(bytes, seconds, Transfer::lf, Transfer::sf), contention_of(seconds)}};
}

}  // namespace gable::model
