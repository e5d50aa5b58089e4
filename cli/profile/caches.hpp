#pragma once

// The caches that a profile's threads use on a machine, and conflicts in them.

#include <optional>
#include <string>
#include <vector>

#include "model/profile/levels.hpp"

namespace gable::cli {

struct ProfileMachine {
  std::string name;                         ///< "this machine", or the folder
  std::vector<model::ProfileCache> caches;  ///< level ascending
  model::ProfileTlb tlb;                    ///< of a folder with page walks
  /// The caches with the sizes that the topology claims, which one core alone may be denied.
  std::vector<model::ProfileCache> claimed = {};
};

/// "L3 10.59 MiB, for lines in order 52.1 MiB"
std::string usable_size_text(const model::ProfileCache& cache);

/// Returns the caches of the folder's machine. Where its ladder contradicts a claimed size, the cache has the
/// usable size. An empty folder means this machine. Threads fill a cluster's cores one after the other.
/// Caches that several cores share count as one cache for all threads, which is as large as all that the
/// threads need. If it is not known which part of the program's data is on huge pages, none is assumed to be.
/// Throws Error::usage for an unknown cluster and for a machine whose caches are not known.
ProfileMachine profile_machine(const std::string& folder, int cluster, int threads,
                               std::optional<double> huge_pages_percent);

/// Describes the conflicts of a profile, lines that evict each other because a cache has few ways, in
/// sentences. They say which caches count with their sets, or why none does, and which part of a
/// cache's traffic is conflicts, if that is a tenth or more.
std::string conflicts_text(const model::Profile& profile, const ProfileMachine& machine);

}  // namespace gable::cli
