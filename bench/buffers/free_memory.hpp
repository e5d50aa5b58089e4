#pragma once

// How much memory a node has left for this process, without driving the kernel to kill somebody for it.

#include <cstdint>
#include <istream>
#include <optional>

namespace gable::bench {

/// Bytes of a node that are free or that the kernel gives up at once (clean page cache), less what it keeps
/// for itself; from sysfs and /proc/zoneinfo. Nothing where it does not say.
std::optional<std::uint64_t> free_bytes(unsigned node);

/// Pages of a node that the kernel does not hand out, as it reckons them for MemAvailable: of each zone the
/// high watermark (without the boost that fragmentation gives it for a while) and what it holds back for
/// requests that can go nowhere else, at most the whole zone. `zoneinfo` as in /proc/zoneinfo.
std::uint64_t reserved_pages(std::istream& zoneinfo, unsigned node);

}  // namespace gable::bench
