#pragma once

// What a program does on a machine: the work of each function, with the bytes that this machine's caches
// leave to each level.

#include <map>
#include <string>
#include <vector>

#include "model/profile/levels.hpp"
#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::model {

/// Bytes by level, by the memory node behind the last cache.
using NodeLevels = std::map<int, std::vector<LevelBytes>>;

/// A part of the program, which runs after the other parts.
struct WorkPart {
  std::string name;  ///< of the function; "other functions"
  Point point;       ///< its flops and bytes, with the threads and the place of the program's data
  NodeLevels nodes;  ///< the parts of the Point's `levels`; empty: all of its data lies as the Point says
  std::uint64_t loop = 0;  ///< of the function, as FunctionWork::loop
  double meetings = 0;     ///< of all threads of the program, at barriers; others have no part of it
};
using WorkParts = std::vector<WorkPart>;

/// The memory nodes of objects that do not lie where the program's other data does, by the index of the
/// object.
using ObjectNodes = std::map<int, int>;

/// The work of the profile's program behind these caches. `like` has the threads, the cluster, and where the
/// data lies. If it has a region, the work is that of the region, whose flops and instructions `like` has;
/// if it has bytes, and they are a part of the profile's, the work is this part. Functions with less than a
/// thousandth of the flops and bytes are one part. Objects that are not in `objects` lie as the data of
/// `like` does. Throws Error::usage if the region is not in the profile.
WorkParts work_parts(const Profile& profile, const std::vector<ProfileCache>& caches, const ProfileTlb& tlb,
                     const Point& like, const ObjectNodes& objects = {});

/// Whether a function has no flops by kind, as in an older profile.
bool lacks_arithmetic(const Profile& profile);

/// Gives such functions the flops by kind of the Point: of the function of that name, or else the Point's in
/// proportion to their flops.
void complete_arithmetic(Profile& profile, const Point& point);

/// The work of a Point by its own bytes by level.
WorkParts work_parts(const Point& point);

/// Caches as a profile of `profiled` threads sees them if `threads` share its work: those of each thread
/// together hold `threads / profiled` as much, if each thread uses its own part of the data.
std::vector<ProfileCache> divided_caches(std::vector<ProfileCache> caches, int profiled, int threads);

/// The same if one thread does all the work: it uses the lines of all, none of which another thread writes.
std::vector<ProfileCache> caches_of_one(std::vector<ProfileCache> caches);

}  // namespace gable::model
