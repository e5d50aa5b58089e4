#pragma once

// What caches may write back beyond what the traffic of a profile tells (writes_back_at_least() in
// traffic.hpp).

#include <vector>

#include "model/profile/traffic.hpp"
#include "model/records/profile.hpp"

namespace gable::model {

/// The bytes that each cache may write back beyond what its rows tell, where those are a lower bound. A line
/// of an object leaves at most as often as it is fetched. It is written back at most as often as from a cache
/// of 64 sets with as many ways, which holds no line that the cache does not hold. And what is written back
/// more is fetched again.
std::vector<double> may_write_more(const Profile& profile, const std::vector<ProfileCache>& caches);

}  // namespace gable::model
