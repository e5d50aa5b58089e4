#pragma once

// The time of a program on a machine, from its profile or from its bytes by level, with or without a time
// that was measured on another machine. docs/programs/prediction-model.md has the equations.

#include <functional>
#include <string>
#include <vector>

#include "model/points/limits/limits.hpp"
#include "model/predict/needs/part_time.hpp"
#include "model/predict/work.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {

/// Objects of the program's profile that lie on a memory node of their own.
struct PlacedObject {
  std::string name;
  std::vector<int> indices;  ///< in the profile
  int node = 0;
};

/// A machine, and how the program uses it there.
struct Setting {
  std::string machine;  ///< its name; two settings of the same name are of the same machine
  const Roofs* roofs = nullptr;
  MixModel hybrid;
  /// That its threads use, level ascending; the last may be in front of its memory.
  std::vector<ProfileCache> caches;
  std::vector<ProfileCache> claimed;  ///< as they may be otherwise: other sizes, no conflicts; empty: none
  ProfileTlb tlb;                     ///< empty: not known
  Point like;                         ///< threads, cluster, place of the data, pages
  std::vector<PlacedObject> objects;  ///< that do not lie where `like` says
  double clock_ghz = 0;               ///< 0: not known
  std::string cpu = "";               ///< its name and caches; equal ones are of one kind; empty: not known
};

/// The nodes of the setting's objects, by index.
ObjectNodes object_nodes(const Setting& setting);

/// The program's parts behind these caches, otherwise as the setting says.
using WorkFor = std::function<WorkParts(const std::vector<ProfileCache>& caches, const Setting& setting)>;

struct Program {
  WorkFor work;
  int threads = 0;                   ///< among which the work is divided in it; 0: as in every setting
  std::vector<WorkFor> others = {};  ///< of which each may be its work as well, as far as is known
  /// The part of all instructions that come one after the other: in one of its threads, or in several that
  /// wait for each other; 0: not known.
  double busiest_thread = 0;
  double serial = 0;  ///< of one thread: the part that more threads would not divide; 0: not known
};

/// A program that was timed: the setting's `like` has its time, CPU time and interval.
struct Forecast {
  Status status = Status::ok;
  std::string reason;                            ///< why there is no time, with the figure that is missing
  double seconds = 0, lo = 0, hi = 0;            ///< 95 %
  double ratio = 0, ratio_lo = 0, ratio_hi = 0;  ///< to the time here; 0: none was measured

  struct Share {
    std::string what;  ///< "local memory", "arithmetic", "not explained"
    double seconds = 0;
  };
  /// A part of the interval: by which factors the time may be longer or shorter, as logarithms.
  struct Doubt {
    std::string what;
    double up = 0, down = 0;
  };
  std::vector<Doubt> doubts;       ///< the first is of what is not known; the others add as squares
  std::vector<Share> binds;        ///< by what binds the functions, the largest first; the sum is `seconds`
  std::vector<Share> functions;    ///< by function, the largest first; the sum is `seconds`
  std::vector<PartNeeds> parts;    ///< what each function needs, by itself
  Notes missing;                   ///< figures of the machine that were not measured
  double missing_percent = 0;      ///< by which the time is uncertain because of them, up or down
  double explained_percent = 100;  ///< of the time here, by the roofs
  double change_percent = 0;  ///< the largest change of the share of the time that a need takes by itself
  std::vector<std::string> notes;  ///< sentences about what cannot be predicted
};

/// The part of a time that no roof explains.
inline constexpr const char* not_explained = "not explained";
inline constexpr const char* in_kernel = "the kernel";

/// Whether the data of both lies on the same nodes, in the same way.
bool lie_alike(const Point& a, const Point& b);

/// One for each of the settings `there`. `here`: where the program was timed; its `like` has the time.
/// nullptr: nowhere.
std::vector<Forecast> forecasts(const Program& program, const std::vector<const Setting*>& there,
                                const Setting* here);

}  // namespace gable::model
