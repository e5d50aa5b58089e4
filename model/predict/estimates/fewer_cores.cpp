#include "model/predict/estimates/fewer_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/points/needs/fewer_cores.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/threads.hpp"
#include "model/predict/parameters.hpp"

namespace gable::model {
namespace {

class FewerCores {
 public:
  FewerCores(const Point& like, const std::vector<ProfileCache>& caches, Estimated which, EstimatedRoofs& to)
      : like_(like), caches_(caches), which_(which), found_(to) {}

  // Adds roofs of so many cores to those of more.
  void add(int cluster) {
    const int cores = cores_used(found_.roofs, like_, cluster);
    if (cores >= cores_of(found_.roofs, cluster)) return;
    std::vector<Roof> added;
    for (const Roof& roof : found_.roofs.roofs) {
      const Case& spec = roof.spec;
      const bool counts = spec.kind == Kind::bandwidth || is_peak(spec.kind) || spec.kind == Kind::random;
      if (roof.status != Status::ok || spec.cluster != cluster || !counts || spec.threads <= cores ||
          busy_everywhere(spec.pattern) || same_with_threads(spec, cores) != nullptr)
        continue;
      // random_rate() interpolates between measured numbers of threads.
      if (spec.kind == Kind::random && same_with_threads(spec, 1) != nullptr) continue;
      Roof scaled = roof;
      const double share = share_of_cores(roof, cores);
      scaled.spec.threads = cores;
      for (double* value : {&scaled.value, &scaled.lo, &scaled.hi}) *value *= share;
      added.push_back(std::move(scaled));
    }
    found_.roofs.roofs.insert(found_.roofs.roofs.end(), added.begin(), added.end());
  }

 private:
  // The share of a roof of `threads` that `cores` reach.
  double share_of_cores(const Roof& roof, int cores) {
    const Case& spec = roof.spec;
    const double part = static_cast<double>(cores) / spec.threads;
    if (is_peak(spec.kind)) {
      const double all = clock_of(found_.roofs.roofs, spec.cluster, spec.threads);
      const double one = clock_of(found_.roofs.ladder, spec.cluster, 1);
      return cores == 1 && all > 0 && one > 0 ? std::min(1.0, part * one / all) : part;
    }
    const std::size_t at = cache_index(spec.level);
    if (at < caches_.size() && caches_[at].cores_sharing <= 1) return part;
    if (spec.kind == Kind::random) return unknown_share(roof, part, cores);
    const double of_one = part_of_one_thread(found_.roofs, spec);
    return of_one > 0 ? std::clamp(cores * of_one, part, 1.0) : unknown_share(roof, part, cores);
  }

  // Between their part, or the lines that they can wait for at once, and all.
  double unknown_share(const Roof& roof, double part, int cores) {
    const Case& spec = roof.spec;
    miss(found_,
         {NoteCode::missing_with, {std::string(row_of(spec.kind).words), count_text(cores, "thread")}});
    double least = part;
    const auto ns = lowest_latency(found_.roofs, spec.cluster, spec.level);
    if (ns && is_in_memory(spec.pattern) && is_local(spec.pattern) && *ns > 0) {
      const double lines_per_ns = cores * PredictParameters().chains_at_once / *ns;
      const double waited = spec.kind == Kind::random
                                ? 1e3 * lines_per_ns
                                : static_cast<double>(profile_line_bytes) * lines_per_ns;
      least = std::clamp(waited / roof.value, part, 1.0);
    }
    return estimate_between(least, 1, which_);
  }

  std::size_t cache_index(const Level& level) const {
    const auto found = std::ranges::find(caches_, level.name(), &ProfileCache::level);
    return static_cast<std::size_t>(found - caches_.begin());
  }

  // The same measurement with so many threads, with whatever bytes; nullptr: there is none.
  const Roof* same_with_threads(const Case& spec, int threads) const {
    const auto found = std::ranges::find_if(found_.roofs.roofs, [&](const Roof& roof) {
      const Case& other = roof.spec;
      return roof.status == Status::ok && other.threads == threads && other.kind == spec.kind &&
             other.cluster == spec.cluster && other.level == spec.level && other.pattern == spec.pattern &&
             other.node == spec.node && other.op == spec.op && other.precision == spec.precision &&
             other.kernel == spec.kernel && other.pages == spec.pages;
    });
    return found == found_.roofs.roofs.end() ? nullptr : &*found;
  }

  const Point& like_;
  const std::vector<ProfileCache>& caches_;
  Estimated which_;
  EstimatedRoofs& found_;
};

}  // namespace

double estimate_between(double slow, double fast, Estimated which) {
  return which == Estimated::slow ? slow : which == Estimated::fast ? fast : std::sqrt(slow * fast);
}

void keep_hardware_threads(const Point& like, Roofs& roofs) {
  if (like.cluster < 0 || like.threads <= cores_of(roofs, like.cluster)) return;
  const auto counts = [&](const Case& spec) {
    return spec.cluster == like.cluster && (spec.kind == Kind::bandwidth || spec.kind == Kind::random);
  };
  const auto place_of = [](const Case& spec) {
    return std::tuple(spec.kind, spec.level, spec.pattern, spec.node);
  };
  std::set<decltype(place_of(Case()))> measured;
  for (const Roof& roof : roofs.roofs) {
    const Case& spec = roof.spec;
    if (counts(spec) && spec.smt && spec.threads == like.threads && roof.status == Status::ok)
      measured.insert(place_of(spec));
  }
  std::erase_if(roofs.roofs, [&](const Roof& roof) {
    return counts(roof.spec) && measured.contains(place_of(roof.spec)) && roof.spec.threads != like.threads;
  });
}

double clock_of(const std::vector<Roof>& roofs, int cluster, std::optional<int> threads) {
  for (const Roof& roof : roofs) {
    if (roof.spec.cluster == cluster && roof.spec.threads == threads.value_or(roof.spec.threads) &&
        roof.clock_ghz > 0)
      return roof.clock_ghz;
  }
  return 0;
}

void miss(EstimatedRoofs& estimated, const Note& what) {
  add_once(estimated.missing, what);
}

std::optional<double> lowest_latency(const Roofs& roofs, int cluster, const Level& level) {
  std::optional<double> lowest;
  for (const Roof& roof : roofs.roofs) {
    if (is_latency_of(roof, cluster, level)) lowest = std::min(lowest.value_or(roof.value), roof.value);
  }
  return lowest;
}

void add_roofs_of_cores(const Point& like, int cluster, const std::vector<ProfileCache>& caches,
                        Estimated which, EstimatedRoofs& to) {
  FewerCores(like, caches, which, to).add(cluster);
}

}  // namespace gable::model
