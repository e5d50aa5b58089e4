#include "kmaf/live/program/address_space.hpp"

#include <algorithm>
#include <limits>

#include "base/clocks.hpp"
#include "base/reading.hpp"
#include "kmaf/live/program/processes.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double fresh_seconds = 1;     // another mapping may have replaced it at the same address
constexpr double stale_seconds = 16;    // without samples, if the total size of the mappings is unchanged
constexpr double least_seconds = 0.01;  // between two reads because of unknown addresses
constexpr double rest = 100;            // pause after a read, as a multiple of its duration
constexpr double slice = 1e-4;          // of CPU time, for checking processes in one call

const MappedRange* mapping_at(const std::vector<MappedRange>& mappings, std::uint64_t address) {
  const auto after =
      std::upper_bound(mappings.begin(), mappings.end(), address,
                       [](std::uint64_t at, const MappedRange& one) { return at < one.begin; });
  if (after == mappings.begin()) return nullptr;
  const MappedRange& found = *std::prev(after);
  return address < found.end ? &found : nullptr;
}

}  // namespace

std::vector<MappedRange> parse_maps(const std::string& text) {
  std::vector<MappedRange> mappings;
  TextStream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto found = machines::maps_line(line);
    if (!found) continue;
    const auto& [begin, end, offset, inode, major, minor, rights, what] = *found;
    const bool shared = rights[3] == 's';
    const bool special =
        what.starts_with("[v") || (what.starts_with("/dev/") && !what.starts_with("/dev/shm/") &&
                                   !what.starts_with("/dev/zero") && !what.starts_with("/dev/hugepages/"));
    MappedRange mapping{begin,
                        end,
                        offset,
                        MappedRange::device_of(major, minor),
                        inode,
                        shared,
                        rights[1] == 'w',
                        rights[2] == 'x',
                        special,
                        shared ? what : ""};
    if (what.starts_with("/SYSV")) mapping.device |= system_v;
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

std::vector<MappedRange> mappings_of(pid_t pid) {
  return parse_maps(machines::raw_text("/proc/" + std::to_string(pid) + "/maps"));
}

const MappedRange* AddressSpaces::find(pid_t pid, Space& space, std::uint64_t address, double seconds) {
  const MappedRange* found = mapping_at(space.mappings, address);
  const double age = seconds - space.read_at;
  const double due = std::max(found ? fresh_seconds : least_seconds, rest * space.took);
  if (space.is_read && age < due) return found;
  read(pid, space, seconds);
  return mapping_at(space.mappings, address);
}

void AddressSpaces::read(pid_t pid, Space& space, double seconds) {
  const double before = thread_seconds();
  // A process that has ended maps nothing, but its last samples may still need its mappings.
  if (std::vector<MappedRange> mappings = mappings_of(pid); !mappings.empty())
    space.mappings = std::move(mappings);
  space.is_read = true;
  space.read_at = space.looked_at = seconds;
  if (reader_) space.pages = virtual_pages(pid);
  if (reader_) reader_(pid, space.mappings);
  space.took = thread_seconds() - before;
}

// Reading the mappings of a program with many libraries takes a millisecond; reading their total size is
// fast.
bool AddressSpaces::look_at_oldest(double seconds) {
  const auto oldest = std::ranges::min_element(spaces_, [](const auto& one, const auto& other) {
    return one.second.looked_at < other.second.looked_at;
  });
  if (oldest == spaces_.end() || seconds - oldest->second.looked_at < fresh_seconds) return false;
  auto& [pid, space] = *oldest;
  space.looked_at = seconds;
  const bool is_as_large = space.is_read && virtual_pages(pid) == space.pages;
  if (!is_as_large || seconds - space.read_at >= stale_seconds) read(pid, space, seconds);
  return true;
}

void AddressSpaces::refresh(double seconds) {
  if (!reader_ || seconds < rests_until_) return;
  const double before = thread_seconds();
  while (look_at_oldest(seconds) && thread_seconds() - before < slice) continue;
  rests_until_ = seconds + rest * (thread_seconds() - before);
}

AddressSpaces::Space& AddressSpaces::entry(pid_t pid, double seconds) {
  const auto [entry, is_new] = spaces_.try_emplace(pid);
  Space& space = entry->second;
  if (is_new) {
    space.name = next_process_++;
    space.object = objects_.process(space.name);
    space.read_at = space.looked_at = seconds;
  }
  return space;
}

std::optional<Place> AddressSpaces::place(pid_t pid, std::uint64_t address, double seconds) {
  Space& space = entry(pid, seconds);
  const MappedRange* const mapping = find(pid, space, address, seconds);
  if (!mapping || mapping->executable || mapping->special) return {};
  if (!mapping->shared) {
    objects_seen_[space.object].views[{0, pid}] = {0, ~std::uint64_t{0}, 0};
    return Place{space.object, address};
  }
  const Place place{objects_.file(mapping->device, mapping->inode),
                    mapping->offset + (address - mapping->begin)};
  Object& object = objects_seen_[place.object];
  object.file = {mapping->device, mapping->inode};
  object.views[{mapping->offset, pid}] = {mapping->offset, mapping->offset + (mapping->end - mapping->begin),
                                          mapping->begin};
  return place;
}

std::optional<AddressSpaces::Location> AddressSpaces::location(std::uint64_t object,
                                                               std::uint64_t offset) const {
  const auto found = objects_seen_.find(object);
  if (found == objects_seen_.end()) return {};
  const Views& views = found->second.views;
  for (auto view = views.upper_bound({offset, std::numeric_limits<pid_t>::max()}); view != views.begin();) {
    const auto& [name, range] = *--view;
    if (offset < range.end) return Location{name.second, range.address + (offset - range.begin)};
  }
  return {};
}

std::vector<std::uint64_t> AddressSpaces::forget(pid_t pid) {
  std::vector<std::uint64_t> unused;
  const auto space = spaces_.find(pid);
  if (space == spaces_.end()) return unused;
  for (auto& [number, object] : objects_seen_) {
    if (std::erase_if(object.views, [pid](const auto& view) { return view.first.second == pid; }) == 0)
      continue;
    if (object.views.empty()) unused.push_back(number);
  }
  for (const std::uint64_t number : unused) {
    if (const auto& file = objects_seen_[number].file) objects_.forget_file(file->first, file->second);
    objects_seen_.erase(number);
  }
  objects_.forget_process(space->second.name);
  spaces_.erase(space);
  return unused;
}

}  // namespace gable::kmaf::live
