#include "points/samples/mapped_code.hpp"

#include <iterator>

namespace gable::points {

void MappedCode::take(const CodeEvent& event) {
  if (event.kind == CodeEvent::Kind::forked && event.pid != event.parent) {
    const auto parent = mappings_.find(event.parent);
    if (parent != mappings_.end()) mappings_[event.pid] = parent->second;
  } else if (event.kind == CodeEvent::Kind::replaced) {
    mappings_.erase(event.pid);
  } else if (event.kind == CodeEvent::Kind::mapped) {
    auto& own = mappings_[event.pid];
    const std::uint64_t end = event.address + event.bytes;
    own.erase(own.lower_bound(event.address), own.lower_bound(end));
    own[event.address] = {end, event.offset, event.file};
  }
}

std::optional<CodePlace> MappedCode::place_of(pid_t pid, std::uint64_t address) const {
  const auto process = mappings_.find(pid);
  if (process == mappings_.end()) return std::nullopt;
  const auto next = process->second.upper_bound(address);
  if (next == process->second.begin()) return std::nullopt;
  const auto& [begin, mapping] = *std::prev(next);
  const bool is_file = mapping.file.starts_with("/");  // not [vdso], //anon
  if (address >= mapping.end || !is_file || mapping.file.starts_with("//")) return std::nullopt;
  return CodePlace{mapping.file, address - begin + mapping.offset};
}

}  // namespace gable::points
