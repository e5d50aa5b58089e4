#include "kmaf/live/written_ranges.hpp"

#include <algorithm>
#include <array>

namespace gable::kmaf::live {

std::vector<AddressRange> watchable(const std::vector<MappedRange>& mappings) {
  constexpr std::uint64_t least = 64 << 10;
  std::vector<AddressRange> found;
  for (const MappedRange& one : mappings) {
    if (!one.writable || one.shared || one.executable || one.special || one.stack) continue;
    if (one.inode != 0 || one.device != 0 || one.end - one.begin < least) continue;
    found.push_back({one.begin, one.end});
  }
  return found;
}

std::vector<AddressRange> protectable(const std::vector<AddressRange>& watched,
                                      std::vector<std::uint64_t> thread_pointers, std::uint64_t page_bytes) {
  std::sort(thread_pointers.begin(), thread_pointers.end());
  std::vector<AddressRange> found;
  for (AddressRange range : watched) {
    const auto after = std::lower_bound(thread_pointers.begin(), thread_pointers.end(), range.end);
    if (after != thread_pointers.begin()) {
      const std::uint64_t last = *std::prev(after);
      range.begin = std::max(range.begin, (last / page_bytes + 2) * page_bytes);
    }
    if (range.begin < range.end) found.push_back(range);
  }
  return found;
}

std::vector<AddressRange> units_at(const std::vector<AddressRange>& ranges, std::uint64_t at,
                                   std::uint64_t unit_bytes, std::size_t count) {
  std::vector<AddressRange> units;
  for (const AddressRange& range : ranges) {
    if (at >= range.bytes()) {
      at -= range.bytes();
      continue;
    }
    std::uint64_t unit = (range.begin + at) / unit_bytes * unit_bytes;
    for (; units.size() < count && unit < range.end; unit += unit_bytes)
      units.push_back({std::max(unit, range.begin), std::min(unit + unit_bytes, range.end)});
    break;
  }
  return units;
}

bool takes_memory(const std::string& link) {
  constexpr std::array harmless = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",  "/dev/urandom",
                                   "/dev/tty",  "/dev/pts/", "/dev/shm/", "/dev/console", "/dev/stdin"};
  if (link.starts_with("/dev/"))
    return std::none_of(harmless.begin(), harmless.end(),
                        [&](const char* name) { return link.starts_with(name); });
  return link == "anon_inode:[io_uring]" || link == "anon_inode:[userfaultfd]";
}

}  // namespace gable::kmaf::live
