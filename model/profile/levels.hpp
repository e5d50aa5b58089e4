#pragma once

// The traffic of a program on a machine: for each level of its caches, what functions, objects and regions
// transfer.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/profile/spans.hpp"
#include "model/profile/traffic.hpp"

namespace gable::model {

/// A level of the TLB, or of what caches the tables of pages.
struct TlbReach {
  double bytes = 0;             ///< that it covers
  double ns_lo = 0, ns_hi = 0;  ///< of a miss, beyond what a miss of the levels before costs: 95 % interval
};

/// Those of small pages and of huge ones, by reach; empty: not known.
struct ProfileTlb {
  std::vector<TlbReach> small, huge;
};

/// What to group by. Loops of functions that run for long are apart (FunctionWork::loop).
enum class ProfileKey { program, function, line, object, region };

/// A row: a function, an object, ...
struct ProfileRow {
  std::string name;
  std::string where;       ///< image, or file and line; may be empty
  std::uint64_t loop = 0;  ///< of a function: as FunctionWork::loop
  std::string line;        ///< likewise
  double loads = 0, stores = 0, load_bytes = 0, store_bytes = 0, flops = 0;
  std::uint64_t peak_bytes = 0;  ///< of an object
  std::uint64_t blocks = 0;      ///< of an object: allocated
  /// Of an object: parts of the time of the observed run at which the first of its blocks began to live and
  /// the last one ended.
  double born = 0, died = 1;
  /// The traffic behind each cache, in the order of the caches; the last is what the memory transfers.
  std::vector<Traffic> behind;
  /// The part of these bytes that the cache would transfer neither if lines were spread over its sets by
  /// chance nor if it had no sets; 0: none, or not known.
  std::vector<double> conflicts;
  std::vector<Spans> spans;     ///< of the lines behind each cache
  std::vector<double> strided;  ///< bytes of the independent lines behind each cache, as in ProfileUses
  std::vector<double> near;     ///< instructions near independent reads behind each cache, as in LineUses
  double from_cores = 0;  ///< bytes that the last own cache of a thread gets from those of other threads
  double contested = 0, contested_apart = 0;  ///< accesses, as in ProfileUses
  double chain = 0;                           ///< mean length of the chains of loads; 0: none
  Translation translation;                    ///< walks: misses of the first level
};

/// First the rows that matter most: the traffic of each level counts four times as much as that of the one
/// before. `objects` are the indices of those that count; nullptr: all. The rows of parts of the objects add
/// up to those of all.
std::vector<ProfileRow> profile_rows(const Profile& profile, ProfileKey key,
                                     const std::vector<ProfileCache>& caches, const ProfileTlb& tlb = {},
                                     const std::set<int>* objects = nullptr);

/// The levels of what accesses no memory.
std::vector<LevelBytes> levels_of_nothing(const std::vector<ProfileCache>& caches);

/// A part of the row's traffic, as the bytes of each level from the second cache on; the last is memory.
std::vector<LevelBytes> levels_behind(const ProfileRow& row, const std::vector<ProfileCache>& caches,
                                      double part = 1);

/// A part of the row's page walks; nothing if the TLB is not known.
std::optional<Translation> walks_of(const ProfileRow& row, const ProfileTlb& tlb, double part = 1);

/// Accesses to lines that another thread uses at the same time, as a part of all accesses (ProfileUses), and
/// whether that is much: programs whose threads divide their data have less than a hundredth.
double contested_share(const Profile& profile);
inline constexpr double much_contested = 0.01;

/// The standard error of a share of all lines, relative to 1, because only some are followed; 0: all are.
double share_error(const Profile& profile);

}  // namespace gable::model
