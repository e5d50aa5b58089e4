#include "points/resident_bytes.hpp"

#include <numaif.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <ios>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string_view>

#include "base/numbers.hpp"
#include "base/reading.hpp"
#include "machines/files.hpp"

namespace gable::points {

namespace {

// numa_maps writes spaces of names as \040.
std::string unescaped(const std::string& name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned code = 0;
    if (name[i] == '\\' && i + 3 < name.size() &&
        std::from_chars(&name[i + 1], &name[i + 4], code, 8).ptr == &name[i + 4]) {
      plain += static_cast<char>(code);
      i += 3;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

// The number behind `prefix`; -1 for another word.
long long number_after(const std::string& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return -1;
  return read_as<long long>(std::string_view(word).substr(prefix.size())).value_or(-1);
}

using machines::maps_line;
using machines::MapsLine;
using model::MappedRange;
using model::RangeKind;

// The kernel's names of memory that programs share without a file: shmget(2), MAP_SHARED, huge pages.
bool is_anonymous(const std::string& file) {
  return file.starts_with("/SYSV") || file == "/dev/zero (deleted)" || file == "/anon_hugepage (deleted)";
}

// Memory of the program and its libraries that is no file's follows their files.
std::optional<RangeKind> kind_of(const MapsLine& line, const MapsLine& before,
                                 std::optional<RangeKind> kind_before, const std::set<std::string>& code) {
  const bool follows = before.end == line.begin;
  if (line.is_code()) return std::nullopt;
  if (line.file.starts_with("[stack")) return RangeKind::stack;
  if (line.file == "[heap]" || line.file.starts_with("[anon") || is_anonymous(line.file))
    return RangeKind::allocated;
  if (line.file.starts_with("[")) return std::nullopt;
  if (!line.file.empty()) return code.contains(line.file) ? RangeKind::statics : RangeKind::file;
  if (follows && kind_before == RangeKind::statics) return RangeKind::statics;
  return follows && before.rights.starts_with("---") ? RangeKind::stack : RangeKind::allocated;
}

// Files that are mapped as executable, from /proc/PID/maps.
std::set<std::string> code_files(const std::string& maps) {
  std::set<std::string> files;
  TextStream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<MapsLine> mapped = maps_line(line);
    if (mapped && mapped->is_code() && !mapped->file.empty()) files.insert(mapped->file);
  }
  return files;
}

// The resident bytes by node that a line of /proc/PID/numa_maps tells.
std::map<int, std::uint64_t> resident_bytes_of(const std::string& line) {
  std::map<int, std::uint64_t> bytes;
  std::uint64_t page_bytes = 4096;
  TextStream words(line);
  for (std::string word; words >> word;) {
    if (const long long kib = number_after(word, "kernelpagesize_kB="); kib > 0)
      page_bytes = static_cast<std::uint64_t>(kib) * 1024;
    const std::size_t equals = word.find('=');
    if (word[0] != 'N' || equals == std::string::npos) continue;
    const long long node = number_after(word.substr(0, equals), "N");
    const long long count = number_after(word.substr(equals), "=");
    if (node >= 0 && count > 0) bytes[static_cast<int>(node)] = static_cast<std::uint64_t>(count);
  }
  for (auto& [node, amount] : bytes) amount *= page_bytes;
  return bytes;
}

}  // namespace

ResidentBytes resident_bytes(const std::string& numa_maps, const std::string& maps) {
  const std::set<std::string> code = code_files(maps);
  ResidentBytes bytes;
  TextStream lines(numa_maps);
  for (std::string line; std::getline(lines, line);) {
    bool is_code = false, is_pool = false;
    TextStream words(line);
    for (std::string word; words >> word;) {
      if (word.starts_with("file=") && code.contains(unescaped(word.substr(5)))) is_code = true;
      if (word == "huge") is_pool = true;
    }
    for (const auto& [node, amount] : resident_bytes_of(line)) {
      (is_code ? bytes.code : bytes.data[node]) += amount;
      if (is_pool && !is_code) bytes.pool += amount;
    }
  }
  return bytes;
}

std::optional<std::uint64_t> bytes_on_huge_pages(const std::string& smaps_rollup) {
  constexpr std::string_view names[] = {
      "AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:", "Private_Hugetlb:", "Shared_Hugetlb:"};
  std::optional<std::uint64_t> bytes;
  TextStream lines(smaps_rollup);
  for (std::string line; std::getline(lines, line);) {
    TextStream words(line);
    std::string name;
    std::uint64_t kib = 0;
    if (words >> name >> kib && std::ranges::find(names, name) != std::end(names))
      bytes = bytes.value_or(0) + 1024 * kib;
  }
  return bytes;
}

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
