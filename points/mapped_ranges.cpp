#include "points/mapped_ranges.hpp"

#include <numaif.h>

#include <cerrno>
#include <ios>
#include <map>
#include <optional>
#include <random>

#include "base/reading.hpp"
#include "points/resident_bytes.hpp"

namespace gable::points {

namespace {

using model::MappedRange;
using model::RangeKind;

// Memory of the program and its libraries that is no file's follows their files.
std::optional<RangeKind> kind_of(const MapsLine& line, const MapsLine& before,
                                 std::optional<RangeKind> kind_before, const std::set<std::string>& code) {
  const bool follows = before.end == line.begin;
  if (line.is_code()) return std::nullopt;
  if (line.file.starts_with("[stack")) return RangeKind::stack;
  if (line.file == "[heap]" || line.file.starts_with("[anon")) return RangeKind::allocated;
  if (line.file.starts_with("[")) return std::nullopt;
  if (!line.file.empty()) return code.contains(line.file) ? RangeKind::statics : RangeKind::file;
  if (follows && kind_before == RangeKind::statics) return RangeKind::statics;
  return follows && before.rights.starts_with("---") ? RangeKind::stack : RangeKind::allocated;
}

}  // namespace

std::vector<MappedRange> mapped_ranges(const std::string& numa_maps, const std::string& maps) {
  std::map<std::uint64_t, std::map<int, std::uint64_t>> resident;
  TextStream numa_lines(numa_maps);
  for (std::string line; std::getline(numa_lines, line);) {
    std::uint64_t begin = 0;
    TextStream words(line);
    if (words >> std::hex >> begin) resident[begin] = resident_bytes_of(line);
  }
  const std::set<std::string> code = code_files(maps);
  std::vector<MappedRange> ranges;
  MapsLine before;
  std::optional<RangeKind> kind_before;
  TextStream lines(maps);
  for (std::string text; std::getline(lines, text);) {
    const std::optional<MapsLine> line = maps_line(text);
    if (!line) continue;
    const std::optional<RangeKind> kind = kind_of(*line, before, kind_before, code);
    const auto known = resident.find(line->begin);
    if (kind && known != resident.end() && !known->second.empty()) {
      const bool is_file = kind == RangeKind::file;
      ranges.push_back(
          {line->begin, *kind, is_file ? line->file : "", line->end - line->begin, known->second, {}});
    }
    before = *line;
    kind_before = kind;
  }
  return ranges;
}

// Pages at random places: a constant distance would see every other page of an interleave.
bool look_at_pages(int pid, std::vector<MappedRange>& ranges) {
  constexpr std::uint64_t parts = 512, page = 4096, large = parts * page / 8;
  std::minstd_rand random;
  for (MappedRange& range : ranges) {
    if (range.node_bytes.size() < 2 || range.bytes < large) continue;
    const std::uint64_t each = std::max(page, range.bytes / parts / page * page);
    std::vector<void*> pages;
    for (std::uint64_t at = 0; at + each <= range.bytes; at += each)
      pages.push_back(reinterpret_cast<void*>(range.begin + at + random() % (each / page) * page));
    std::vector<int> nodes(pages.size(), -1);
    if (move_pages(pid, pages.size(), pages.data(), nullptr, nodes.data(), 0) != 0) {
      if (errno == ESRCH) return false;
      continue;
    }
    for (int& node : nodes) node = std::max(node, -1);
    range.nodes = std::move(nodes);
  }
  return true;
}

}  // namespace gable::points
