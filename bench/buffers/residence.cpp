#include "bench/buffers/residence.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>

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
