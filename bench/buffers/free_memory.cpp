#include "bench/buffers/free_memory.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace gable::bench {

namespace {

// The largest of "(0, 2931, 0)".
std::uint64_t largest_of(const std::string& list) {
  std::uint64_t largest = 0, number = 0;
  std::istringstream in(list);
  for (in.ignore(list.size(), '('); in >> number; in.ignore()) largest = std::max(largest, number);
  return largest;
}

}  // namespace

std::uint64_t reserved_pages(std::istream& zoneinfo, unsigned node) {
  const std::string ours = fmt::format("Node {},", node);
  std::uint64_t reserved = 0, boost = 0, high = 0, managed = 0;
  bool inside = false;
  for (std::string line; std::getline(zoneinfo, line);) {
    if (line.starts_with("Node ")) {
      inside = line.starts_with(ours);
      boost = high = managed = 0;
    }
    std::istringstream words(line);
    std::string name;
    if (!inside || !(words >> name)) continue;
    if (name == "boost") words >> boost;
    if (name == "high" && high == 0) words >> high;  // the first one; the per-CPU lists below have one too
    if (name == "managed") words >> managed;
    if (name == "protection:") reserved += std::min(managed, high - std::min(high, boost) + largest_of(line));
  }
  return reserved;
}

std::optional<std::uint64_t> free_bytes(unsigned node) {
  std::ifstream meminfo(fmt::format("/sys/devices/system/node/node{}/meminfo", node));
  std::ifstream zoneinfo("/proc/zoneinfo");
  return free_bytes(meminfo, zoneinfo, node);
}

std::optional<std::uint64_t> free_bytes(std::istream& meminfo, std::istream& zoneinfo, unsigned node) {
  std::map<std::string, std::uint64_t> kib;
  for (std::string line; std::getline(meminfo, line);) {
    std::istringstream words(line);  // "Node 0 MemFree: 123 kB"
    std::string node_word, number, name;
    std::uint64_t value = 0;
    if (words >> node_word >> number >> name >> value) kib[name] = value;
  }
  if (!kib.contains("MemFree:")) return std::nullopt;
  // FilePages do not count: those of a ramfs, such as the root of an initramfs, cannot be reclaimed.
  const std::uint64_t cache = kib["Active(file):"] + kib["Inactive(file):"] + kib["SReclaimable:"];
  const std::uint64_t held = kib["Dirty:"] + kib["Mapped:"];
  const std::uint64_t free = 1024 * (kib["MemFree:"] + cache - std::min(cache, held));
  const std::uint64_t reserved =
      reserved_pages(zoneinfo, node) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return free - std::min(free, reserved);
}

}  // namespace gable::bench
