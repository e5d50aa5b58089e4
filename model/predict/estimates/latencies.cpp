#include "model/predict/estimates/latencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/points/limits/mix_limits.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/threads.hpp"
#include "model/predict/estimates/fewer_cores.hpp"
#include "model/predict/parameters.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::model {
namespace {

constexpr double part_that_counts = 0.02;  // of the program's time

// Of the second cache of a core and of later ones: estimates, between which are the 14 and 50 of a Zen 5.
struct UsualCycles {
  double least, most;
};
constexpr UsualCycles of_second_cache = {10, 50}, of_later_cache = {30, 150};
constexpr double slowest_usual_ghz = 1.2, fastest_usual_ghz = 5;

constexpr double least_of_memory_ns = 60, most_of_memory_ns = 400;

// Nanoseconds of a load, to tell whether loads may matter at all.
double usual_ns(const std::vector<LevelBytes>& levels, std::size_t at) {
  if (!is_cache(levels[at].level)) return 100;
  return at == 0 ? 5 : 20;
}

// On a usual core: two instructions in a cycle at 3 GHz. Where instructions were not counted, its accesses
// are.
double usual_seconds(const FunctionWork& work) {
  constexpr double per_second = 6e9, bytes_of_access = 8;
  const double accesses = (work.load_bytes + work.store_bytes) / bytes_of_access;
  return std::max(work.instructions.executed, accesses) / per_second;
}

bool takes_time(double seconds, const FunctionWork& work, double thread_seconds) {
  return seconds > part_that_counts * (thread_seconds > 0 ? thread_seconds : usual_seconds(work));
}

// Lines from other cores have a need of their own.
double seconds_of_wait(const FunctionWork& work, std::size_t at, WaitedAmountOf amount) {
  const LevelBytes& level = work.levels[at];
  const double from_cores = level.read > 0 ? std::min(1.0, level.from_cores / level.read) : 0;
  return (1 - from_cores) * served_by(work.levels, at, amount).lines * usual_ns(work.levels, at) * 1e-9;
}

class Latencies {
 public:
  Latencies(const Point& like, int cluster, const std::vector<ProfileCache>& caches, const FunctionWork& work,
            double thread_seconds, Estimated which, EstimatedRoofs& to)
      : like_(like),
        cluster_(cluster),
        caches_(caches),
        work_(work),
        thread_seconds_(thread_seconds),
        which_(which),
        to_(to) {}

  void add() {
    for (std::size_t i = 0; i < work_.levels.size(); ++i) {
      if (!is_cache(work_.levels[i].level) && lacks_memory(i)) return;
    }
    if (waits_for_chains(work_, thread_seconds_)) add_caches();
  }

 private:
  // Refuses if the program waits for this memory and its latency is not known.
  bool lacks_memory(std::size_t at) {
    const Level& level = work_.levels[at].level;
    if (latency_of(to_.roofs, like_, cluster_, level)) return false;
    const bool chains = takes_time(seconds_of_wait(work_, at, chained_of), work_, thread_seconds_);
    const double unordered = seconds_of_wait(work_, at, irregular_of) / most_at_once;
    const bool behind = is_memory(level) && has_side_cache(work_.levels);  // the cache's rate tells of it
    const bool irregular = !behind && takes_time(unordered, work_, thread_seconds_) &&
                           !random_rate(to_.roofs, like_, cluster_, level);
    if (!chains && !irregular) return false;
    const std::map<int, double> shares = node_shares(like_);
    to_.refusal = fmt::format("it has no latency of {}{}, and the program {} there", level.name(),
                              shares.empty()       ? ""
                              : shares.size() == 1 ? fmt::format(" node {}", shares.begin()->first)
                                                   : fmt::format(" for {}", shares_text(shares)),
                              chains ? "follows chains of loads" : "loads lines without an order");
    return true;
  }

  // From the outside in, so that the next level is known.
  void add_caches() {
    std::optional<double> next = lowest_latency(to_.roofs, cluster_, Level::memory());
    if (!next && work_.levels.back().chained > 0) add_memory();
    for (std::size_t i = caches_.size(); i-- > 1;) {
      const Level level(caches_[i].level);
      std::optional<double> known = lowest_latency(to_.roofs, cluster_, level);
      if (!known && waits_at(i)) {
        known = estimated_ns(i, next);
        add_roof(level, *known);
        miss(to_, {NoteCode::missing_latency, {caches_[i].level}});
      }
      if (known) next = known;
    }
  }

  // Of the few lines that the memory serves (lacks_memory).
  void add_memory() {
    const double ns = estimate_between(most_of_memory_ns, least_of_memory_ns, which_);
    std::map<int, double> shares = node_shares(like_);
    if (shares.empty()) shares = {{-1, 1.0}};
    for (const auto& [node, share] : shares) {
      Roof& roof = add_roof(Level::memory(), ns);
      roof.spec.pattern = Pattern::local;
      roof.spec.node = node;
    }
    miss(to_, {NoteCode::missing_latency, {Level::memory().name()}});
  }

  // Whether loads wait for lines of this cache.
  bool waits_at(std::size_t cache) const {
    return work_.levels[std::min(cache, work_.levels.size()) - 1].chained > 0;
  }

  double estimated_ns(std::size_t cache, const std::optional<double>& next) const {
    const UsualCycles cycles = cache == 1 ? of_second_cache : of_later_cache;
    const double ghz = cluster_clock(to_.roofs, cluster_);
    double slow = next.value_or(cycles.most / (ghz > 0 ? ghz : slowest_usual_ghz));
    double fast = next ? slow / PredictParameters().faster_than_next
                       : cycles.least / (ghz > 0 ? ghz : fastest_usual_ghz);
    for (std::size_t before = cache; before-- > 0;) {
      if (const auto inner = lowest_latency(to_.roofs, cluster_, Level(caches_[before].level)))
        fast = std::max(fast, *inner);
    }
    if (!next) slow = std::max(slow, fast);
    return estimate_between(slow, std::min(slow, fast), which_);
  }

  Roof& add_roof(const Level& level, double ns) {
    Roof roof;
    roof.spec.kind = Kind::latency;
    roof.spec.cluster = cluster_;
    roof.spec.level = level;
    roof.spec.pattern = Pattern::cache;
    roof.spec.op = operations::chase;
    roof.value = roof.lo = roof.hi = ns;
    roof.unit = unit_of(Kind::latency);
    to_.roofs.roofs.push_back(roof);
    return to_.roofs.roofs.back();
  }

  const Point& like_;
  int cluster_;
  const std::vector<ProfileCache>& caches_;
  const FunctionWork& work_;
  double thread_seconds_;
  Estimated which_;
  EstimatedRoofs& to_;
};

}  // namespace

bool waits_for_chains(const FunctionWork& work, double thread_seconds) {
  double seconds = 0;
  for (std::size_t i = 0; i < work.levels.size(); ++i) seconds += seconds_of_wait(work, i, chained_of);
  return takes_time(seconds, work, thread_seconds);
}

void add_latencies(const Point& like, int cluster, const std::vector<ProfileCache>& caches,
                   const FunctionWork& work, double thread_seconds, Estimated which, EstimatedRoofs& to) {
  Latencies(like, cluster, caches, work, thread_seconds, which, to).add();
}

}  // namespace gable::model
