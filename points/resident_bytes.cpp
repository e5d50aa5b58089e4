#include "points/resident_bytes.hpp"

#include <algorithm>
#include <charconv>
#include <ios>
#include <string_view>

#include "base/numbers.hpp"
#include "base/reading.hpp"

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

}  // namespace

std::optional<MapsLine> maps_line(const std::string& line) {
  TextStream fields(line);
  MapsLine found;
  char dash = 0;
  std::string offset, device, inode;
  fields >> std::hex >> found.begin >> dash >> found.end >> found.rights >> offset >> device >> inode >>
      std::ws;
  if (fields.fail() || dash != '-' || found.end <= found.begin) return std::nullopt;
  std::getline(fields, found.file);
  return found;
}

std::set<std::string> code_files(const std::string& maps) {
  std::set<std::string> files;
  TextStream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<MapsLine> mapped = maps_line(line);
    if (mapped && mapped->is_code() && !mapped->file.empty()) files.insert(mapped->file);
  }
  return files;
}

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

}  // namespace gable::points
