#pragma once

// Cells that need no further visits, according to the visits so far: variants of a figure that are clearly
// slower than another, and cells of a cluster or pair whose spots are like those of its representative.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/plan/plan.hpp"
#include "bench/schedule/open_visits.hpp"

namespace gable::bench {

inline constexpr int racing_rounds = 2;  ///< every run has as many visits

/// The name of the race in which the Case takes part: the same for other ISAs, page sizes and kernels that
/// give the same figure; empty for a Case that has none.
std::string race_of(const model::Case& spec);

class Race {
 public:
  /// `plan` must outlive it.
  explicit Race(const Plan& plan);

  /// Whether the fastest visit to each Case of the run is more than 3 % slower than the lower quartile of
  /// another run of its race; both need two visits.
  bool is_lost(const Run& run, const Done& done) const;

  /// Whether a spot of the reserve's subjects differs from its twin: their visits, each range widened by 1 %,
  /// have no value in common. Both need two visits. Also if spots have them and none of their twins: the
  /// representative could not be measured.
  bool is_needed(const Run& reserve, const Done& done) const;
  /// Whether a spot of the reserve's subjects and its twin have two visits each.
  bool is_compared(const Run& reserve, const Done& done) const;

  /// The widest range of a run's visits, relative to their median; 0 for fewer than two.
  static double spread(const Run& run, const Done& done);

 private:
  /// What the spots of a subject show; each needs two visits.
  struct SpotsShow {
    bool compared = false;    ///< a twin has two visits, too
    bool differ = false;      ///< from such a twin
    bool here_alone = false;  ///< a twin has no visit
  };
  SpotsShow spots_show(const std::string& subject, const Done& done) const;
  SpotsShow all_spots_show(const Run& reserve, const Done& done) const;

  std::map<std::string, std::vector<const Run*>> rivals_;
  std::map<std::string, std::vector<std::pair<const Run*, const Run*>>>
      spots_;                                       ///< by subject, with their twins
  mutable std::map<std::string, SpotsShow> shown_;  ///< by subject, until visits are added
  mutable std::size_t shown_at_ = 0;                ///< visits then
};

}  // namespace gable::bench
