#pragma once

// How much memory of a node this process can still take without triggering the kernel's out-of-memory killer.

#include <cstdint>
#include <istream>
#include <optional>

namespace gable::bench {

/// Bytes of a node that are free or that the kernel frees at once (clean page cache), minus its reserve; from
/// sysfs and /proc/zoneinfo. Nothing if they are not available.
std::optional<std::uint64_t> free_bytes(unsigned node);
std::optional<std::uint64_t> free_bytes(std::istream& meminfo, std::istream& zoneinfo, unsigned node);

/// Pages of a node that the kernel does not hand out, computed as for MemAvailable: for each zone the high
/// watermark (without its temporary boost after fragmentation) and the reserve for requests that can use no
/// other zone, at most the whole zone. `zoneinfo` as in /proc/zoneinfo.
std::uint64_t reserved_pages(std::istream& zoneinfo, unsigned node);

}  // namespace gable::bench
