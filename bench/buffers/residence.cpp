#include "bench/buffers/residence.hpp"

#include <numaif.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>

namespace gable::bench {

namespace {

// Spreads consecutive numbers over 32 bits (the multiplier of Knuth, TAOCP 3, section 6.4).
std::uint32_t scatter(std::size_t i) {
  return static_cast<std::uint32_t>(i) * 2654435769u;
}

}  // namespace

std::vector<std::size_t> representative_pages(std::size_t pages, std::size_t most) {
  const std::size_t stride = (pages + most - 1) / most;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i * stride < pages; ++i) {
    const std::size_t room = std::min(stride, pages - i * stride);
    chosen.push_back(i * stride + static_cast<std::size_t>(std::uint64_t{scatter(i)} * room >> 32));
  }
  return chosen;
}

std::map<int, std::uint64_t> sampled_residence(std::byte* begin, std::size_t pages, std::size_t page_bytes,
                                               std::size_t most) {
  std::vector<void*> addresses;
  for (const std::size_t i : representative_pages(pages, most)) addresses.push_back(begin + i * page_bytes);
  std::vector<int> status(addresses.size(), -1);
  if (move_pages(0, addresses.size(), addresses.data(), nullptr, status.data(), 0) != 0) return {};
  std::map<int, std::uint64_t> found;
  for (const int node : status) ++found[node];
  return in_bytes(std::move(found), pages * page_bytes);
}

std::map<int, std::uint64_t> in_bytes(std::map<int, std::uint64_t> pages, std::uint64_t bytes) {
  std::uint64_t total = 0;
  for (const auto& [node, count] : pages) total += count;
  for (auto& [node, count] : pages) count = bytes * count / total;
  return pages;
}

std::map<int, std::uint64_t> mapped_pages(std::istream& numa_maps, std::uintptr_t address) {
  std::string text;
  for (std::string line; std::getline(numa_maps, line);) {
    std::uintptr_t begin = 0;
    if (std::sscanf(line.c_str(), "%lx ", &begin) != 1 || begin > address) continue;
    text = line;
  }
  std::map<int, std::uint64_t> pages;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    int node = 0;
    unsigned long count = 0;
    if (std::sscanf(word.c_str(), "N%d=%lu", &node, &count) == 2) pages[node] += count;
  }
  return pages;
}

}  // namespace gable::bench
