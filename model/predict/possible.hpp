#pragma once

// Everything that a program may need where it was timed and where it would run: not all roofs and not all
// shares of caches are known.

#include <cstddef>
#include <string>
#include <vector>

#include "model/predict/estimates/estimated.hpp"
#include "model/predict/forecast.hpp"

namespace gable::model {

/// What the program needs there, and here. Without a time here there is nothing before. What the core needs
/// and has no roof for there is as long as here, by the clocks.
struct NeedsPair {
  std::vector<PartNeeds> before, after;
  double core_before = 0, core_after = 0;  ///< the core's time by all needs
  Estimated roofs = Estimated::middle;     ///< those of the place after
  bool claimed = false;                    ///< caches of the claimed sizes, before or after
  bool likely = true;                      ///< all estimated roofs have their most likely value
  std::size_t work = 0;                    ///< 0: the Program's `work`, otherwise one of its `others`
};

struct PossibleNeeds {
  std::vector<NeedsPair> pairs;  ///< the most likely one first
  Notes missing;                 ///< there
  std::string refusal;           ///< why there are none; empty: there are
};

/// The cores that the program uses at once.
int used_cores(const Setting& setting);

/// The core's time there as a part of that here, by the numbers of cores that work at once and, if they are
/// known, the clocks.
double core_speed(const Program& program, const Setting& here, const Setting& there);

/// Whether the clocks of both are known.
bool knows_clocks(const Setting& here, const Setting& there);

/// How many times as fast or as slow as core_speed() says a core may be, where the peaks do not tell it.
double core_doubt(const Setting& here, const Setting& there);

/// What the program needs in a setting, with caches and roofs as they may be.
struct SettingNeeds {
  std::vector<PartNeeds> parts;
  bool divided = false;  ///< own caches hold the parts of the data of other threads than the profile's
  bool claimed = false;  ///< caches of the claimed sizes
  Estimated roofs = Estimated::middle;
  std::size_t work = 0;  ///< as in NeedsPair
};

struct AllNeeds {
  std::vector<SettingNeeds> needs;  ///< the most likely ones first
  Notes missing;                    ///< of the machine
  std::string refusal;              ///< why there are none; empty: there are
  bool estimated = false;           ///< some roofs
};

/// `timed`: where the program was timed; nullptr: nowhere. If it was not, what the machine lacks of a core's
/// figures is estimated (add_usual_core); if it was, the ratio of the clocks tells more.
AllNeeds needs_in(const Program& program, const Setting& setting, const Setting* timed);

/// Where the program was timed, with what it needs there.
struct TimedSetting {
  const Setting& setting;
  AllNeeds needs;
};

/// Roofs that were estimated on one machine for both places are the same in both. `here`: nullptr without a
/// time.
PossibleNeeds possible_needs(const Program& program, const Setting& there, const TimedSetting* here);

}  // namespace gable::model
