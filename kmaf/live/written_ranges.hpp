#pragma once

// Which memory of a process may be protected from writes for a moment.

#include <cstdint>
#include <string>
#include <vector>

#include "kmaf/live/address_space.hpp"

namespace gable::kmaf::live {

struct AddressRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t bytes() const { return end - begin; }
  bool operator==(const AddressRange&) const = default;
};

/// Whole mappings that are private, anonymous and writable, neither tiny (below 64 KiB) nor the stack of the
/// first thread. A mapping is watched as a whole: what is watched in part is two mappings to the kernel,
/// which mremap(2) refuses.
std::vector<AddressRange> watchable(const std::vector<MappedRange>& mappings);

/// What may be protected of them: nothing from the beginning of a mapping to a thread's control block, its
/// stack, nor the page after it. The kernel does not wait for a protected page when it clears the number of a
/// thread that ends, in the control block. `thread_pointers`: the addresses of the control blocks, in any
/// order.
std::vector<AddressRange> protectable(const std::vector<AddressRange>& watched,
                                      std::vector<std::uint64_t> thread_pointers, std::uint64_t page_bytes);

/// Ranges by how many bytes come before them in all.
class Stretch {
 public:
  explicit Stretch(std::vector<AddressRange> ranges = {});
  std::uint64_t bytes() const { return ends_.empty() ? 0 : ends_.back(); }
  /// `count` units of `unit_bytes`, one after the other from the one on that has the byte which is `at` bytes
  /// into the ranges; those at the ends of a range are what lies in it. Fewer where the range ends, none
  /// where there is no such byte. Logarithmic in the number of ranges.
  std::vector<AddressRange> units_at(std::uint64_t at, std::uint64_t unit_bytes, std::size_t count) const;

 private:
  std::vector<AddressRange> ranges_;
  std::vector<std::uint64_t> ends_;  // bytes up to the end of each
};

/// Whether a descriptor, as /proc/PID/fd links it, is one of those whose users hand memory to devices or the
/// kernel in ways that do not wait for a protected page, or handle faults themselves.
bool takes_memory(const std::string& link);

/// Whether /proc/PID/maps has a library by which they do: it is loaded before the descriptor is opened.
bool loads_device(const std::string& maps);

}  // namespace gable::kmaf::live
