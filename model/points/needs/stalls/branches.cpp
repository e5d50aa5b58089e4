#include "model/points/needs/stalls/branches.hpp"

#include <algorithm>
#include <cmath>

#include "model/points/needs/stalls/latency_at.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/threads.hpp"
#include "model/records/profile.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

// The loads of lines without an order that mispredicted branches wait for.
class WaitedLines {
 public:
  WaitedLines(const Roofs& roofs, const Point& point, int cluster)
      : roofs_(roofs), point_(point), cluster_(cluster) {}

  Waited sum() {
    double of_functions = 0;
    for (const FunctionWork& function : point_.functions) {
      if (function.levels.empty()) continue;
      of_functions += function.instructions.mispredicted;
      add(function.levels, function.instructions);
    }
    if (2 * of_functions >= point_.instructions.mispredicted) return sum_;
    sum_ = {};
    known_ = most_unknown_ = 0;
    add(point_.levels, point_.instructions);
    return sum_;
  }

  /// Whether it is known for which loads the branches waited, of all that take as long as they do.
  /// `seconds`: what the branches cost by themselves.
  bool is_known(double seconds) const { return most_unknown_ <= known_ + seconds; }

 private:
  // It is known of how many loads each level serves as large a part as of all loads without an order.
  // Otherwise each branch may wait for one, the slowest of them first, or for few of them.
  void add(const std::vector<LevelBytes>& levels, const Instructions& counts) {
    const bool is_known = counts.unordered_loads > 0;
    const double part = is_known ? std::min(1.0, counts.waited_loads / counts.unordered_loads) : 0;
    double left = is_known ? counts.waited_loads : counts.mispredicted;
    for (std::size_t i = levels.size(); i-- > 0 && left > 0;) {
      const auto [lines, spans] = served_by(levels, i, unordered_of);
      const double most = std::min(left, lines);
      left -= most;
      if (most <= 0) continue;
      add(most, std::min(most, part * lines),
          latency_of_spans(roofs_, point_, cluster_, levels[i].level, spans));
    }
  }

  // `likely`: 0 if it is not known. Loads of the predicted path may be under way meanwhile. Loads whose
  // addresses do not depend on the branch, as in the next search in a hash table, are useful even if the
  // path was wrong; those of a binary search are not.
  void add(double most, double likely, const std::optional<MeasuredRange>& ns) {
    constexpr double not_useful = 1.0 / 3;
    Waited hi, mean;
    hi.add(most, ns);
    mean.add(likely, ns);
    const double least = (likely > 0 ? mean.lo : hi.lo) / most_at_once;
    sum_.known = sum_.known && hi.known;
    sum_.bytes += likely > 0 ? mean.bytes : hi.bytes;
    sum_.lo += least;
    sum_.hi += hi.hi;
    sum_.seconds += likely > 0 ? not_useful * mean.seconds : std::sqrt(least * hi.hi);
    (likely > 0 ? known_ : most_unknown_) += likely > 0 ? not_useful * mean.seconds : hi.hi;
  }

  const Roofs& roofs_;
  const Point& point_;
  int cluster_;
  Waited sum_;
  double known_ = 0, most_unknown_ = 0;  // seconds
};

// What branches cost by themselves. Of the same program, predictors of other sizes mispredict so much more or
// less (docs/programs/counters.md).
void add_own_cost(const MeasuredRange& seconds, const Point& point, double share, int threads, Need& need) {
  constexpr double predictors_differ = 0.2;
  const double part = part_of_busiest(point, share, threads) / point.seconds;
  need.besides = {part * seconds.value, part * seconds.lo * (1 - predictors_differ),
                  part * seconds.hi * (1 + predictors_differ)};
  need.share += need.besides.share;
  need.lo += need.besides.lo;
  need.hi += need.besides.hi;
  need.bytes = std::max(need.bytes, share * point.instructions.flushes() * profile_line_bytes);
}

}  // namespace

std::optional<MeasuredRange> seconds_of_branches(const Roofs& roofs, int cluster,
                                                 const Instructions& instructions) {
  const auto cost = mispredicted_branch(roofs.roofs, cluster);
  if (!cost) return std::nullopt;
  const double clock = cost->clock_ghz > 0 ? cost->clock_ghz : cluster_clock(roofs, cluster);
  const double resolving_ns = clock > 0 ? instructions.resolving_cycles / clock : 0;
  const auto all = [&](double ns) { return 1e-9 * (instructions.flushes() * ns + resolving_ns); };
  return MeasuredRange{all(cost->lo), all(cost->hi), all(cost->value)};
}

std::optional<Need> branch_need(const Roofs& roofs, const Point& point, int cluster, int threads) {
  constexpr double wide = 2;
  WaitedLines lines(roofs, point, cluster);
  const Waited waited = lines.sum();
  if (!waited.known) return std::nullopt;
  const auto cost = seconds_of_branches(roofs, cluster, point.instructions);
  if (waited.bytes <= 0 && (!cost || point.instructions.flushes() <= 0)) return std::nullopt;
  const double share = cluster_share(roofs, point);
  Need need = need_of(point, threads, share, waited, Limit::Kind::branches, "mispredicted branches");
  if (cost) add_own_cost(*cost, point, share, threads, need);
  if (!lines.is_known(cost ? cost->value : 0) && need.lo * wide < need.hi) {
    make_range(need);
    return need;
  }
  for (double* each : {&need.lo, &need.share, &need.hi}) *each = std::min(*each, 1.0);
  return need;
}

}  // namespace gable::model
