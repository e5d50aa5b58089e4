#include "kmaf/live/written_ranges.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

Stretch::Stretch(std::vector<AddressRange> ranges) : ranges_(std::move(ranges)) {
  std::uint64_t end = 0;
  for (const AddressRange& range : ranges_) ends_.push_back(end += range.bytes());
}

std::vector<AddressRange> Stretch::units_at(std::uint64_t at, std::uint64_t unit_bytes,
                                            std::size_t count) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), at);
  if (end == ends_.end()) return {};
  const AddressRange& range = ranges_[static_cast<std::size_t>(end - ends_.begin())];
  std::uint64_t unit = (range.end - (*end - at)) / unit_bytes * unit_bytes;
  std::vector<AddressRange> units;
  for (; units.size() < count && unit < range.end; unit += unit_bytes)
    units.push_back({std::max(unit, range.begin), std::min(unit + unit_bytes, range.end)});
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

bool loads_device(const std::string& maps) {
  constexpr std::array libraries = {"/libibverbs.so",       "/libpsm2.so",      "/libcuda.so",
                                    "/libhsa-runtime64.so", "/libze_loader.so", "/liburing.so"};
  return std::any_of(libraries.begin(), libraries.end(),
                     [&](const char* name) { return maps.find(name) != std::string::npos; });
}

}  // namespace gable::kmaf::live
