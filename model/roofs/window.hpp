#pragma once

// How many instructions, and how many stores, a core works on at once: from loops of random loads or stores
// with others between them.

#include <optional>
#include <vector>

#include "model/roofs/roofs.hpp"

namespace gable::model {

/// The instructions that a core of the cluster works on at once, with the interval, as a Roof with the unit
/// "instructions". A load enters when there is room for it and leaves when its line has come, so as many
/// instructions enter in the latency of a load as the core has room for, and half an iteration more on
/// average, since the load that waits longest is the first instruction of an iteration. Both figures
/// are those of one thread in the same memory and size of pages. Their errors are independent.
/// Nothing if one of them was not measured, or if the interval tells no more than what today's cores have.
std::optional<Roof> instruction_window(const std::vector<Roof>& roofs, int cluster);

/// The same of stores, with the unit "stores". A store enters as an instruction does, but it leaves only when
/// its line has come and all stores before it have left.
std::optional<Roof> store_window(const std::vector<Roof>& roofs, int cluster);

}  // namespace gable::model
