#pragma once

// Which memories a program accesses: what passes between the last cache and the memory for each object of its
// profile, by the location of the object's pages in another run.

#include <vector>

#include "model/profile/traffic.hpp"
#include "model/records/mapped_range.hpp"

namespace gable::model {

/// The bytes that each node and the last cache exchange. An object is found again by its kind: a file by its
/// name, a large heap block by its size (blocks of one range by their order, the first at its end, as Linux
/// maps them), others where all memory of their kind lies in the same shares of nodes. Its accesses count as
/// even over its pages. Empty if this does not tell the location of objects with 2 % of the bytes.
std::vector<NodeAccess> accesses_by_location(const Profile& profile, const ProfileCache& last_cache,
                                             const std::vector<MappedRange>& ranges);

}  // namespace gable::model
