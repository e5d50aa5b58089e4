#include "model/points/needs/stalls/waited.hpp"

#include <algorithm>

#include "model/points/threads.hpp"
#include "model/records/profile.hpp"

namespace gable::model {

void Waited::add(double lines, const std::optional<MeasuredRange>& ns) {
  known = known && ns;
  if (!ns) return;
  bytes += lines * profile_line_bytes;
  lo += lines * ns->lo * 1e-9;
  hi += lines * ns->hi * 1e-9;
  seconds += lines * ns->value * 1e-9;
}

SpanSums chained_of(const LevelBytes& level) {
  return {level.chained, level.chained_spans, level.chained_squares, level.chained_cubes};
}

SpanSums irregular_of(const LevelBytes& level) {
  return {level.irregular, level.irregular_spans, level.irregular_squares, level.irregular_cubes};
}

SpanSums unordered_of(const LevelBytes& level) {
  return irregular_of(level) += chained_of(level);
}

SpanSums irregular_loads_of(const LevelBytes& level) {
  return {std::max(0.0, level.irregular - level.irregular_stored)};
}

SpanSums strided_of(const LevelBytes& level) {
  return {std::min(level.strided, level.irregular)};
}

Served served_by(const std::vector<LevelBytes>& levels, std::size_t at, WaitedAmountOf amount) {
  if (at >= levels.size()) return {};
  const SpanSums own = amount(levels[at]);
  const SpanSums next = at + 1 < levels.size() ? amount(levels[at + 1]) : SpanSums();
  return {std::max(0.0, own.bytes - next.bytes) / profile_line_bytes, served_spans(own, next)};
}

Need need_of(const Point& point, int threads, double share, const Waited& waited, Limit::Kind kind,
             const char* name) {
  Need need;
  need.limit.kind = kind;
  need.limit.target = name;
  need.limit.threads = threads;
  const double part = part_of_busiest(point, share, threads) / point.seconds;
  need.lo = part * waited.lo;
  need.hi = part * waited.hi;
  need.share = part * waited.seconds;
  need.bytes = share * waited.bytes;
  return need;
}

void make_range(Need& need) {
  need.is_range = true;
  need.hi = std::min(need.hi, 1.0);
  need.lo = std::min(need.lo, need.hi);
  need.share = need.lo;
}

}  // namespace gable::model
