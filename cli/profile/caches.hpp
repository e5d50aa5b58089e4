#pragma once

// The caches that a profile's threads use on a machine.

#include <string>
#include <vector>

#include "model/profile/levels.hpp"

namespace gable::cli {

struct ProfileMachine {
  std::string name;                         ///< "this machine", or the folder
  std::vector<model::ProfileCache> caches;  ///< level ascending
};

/// Of a folder, with the sizes that its ladder measured where it differs from the claims; empty: of this
/// machine. Threads fill a cluster's cores one after the other. A cache that several cores share is one for
/// all threads: so many of it as they need. Throws Error::usage for an unknown cluster and for a machine
/// whose caches are not known.
ProfileMachine profile_machine(const std::string& folder, int cluster, int threads);

}  // namespace gable::cli
