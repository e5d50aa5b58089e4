#include "kmaf/live/program/memory_policy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/owned.hpp"
#include "base/reading.hpp"
#include "machines/files.hpp"

namespace gable::kmaf::live {

namespace {

// "default", "bind:1", "interleave:0-1", "bind=balancing|static:0-3", "prefer (many):0"
MemoryPolicy policy_in(std::string_view word) {
  if (word == "default") return {};
  const std::size_t colon = word.find(':');
  const bool balances = word.substr(0, colon).find("balancing") != std::string_view::npos;
  if (!balances || colon == std::string_view::npos) return {true, {}};
  return {true, machines::listed_numbers(std::string(word.substr(colon + 1)))};
}

std::optional<MappingPolicy> mapping_in(std::string_view line) {
  MappingPolicy mapping;
  const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), mapping.begin, 16);
  const auto used = static_cast<std::size_t>(after - line.data());
  if (error != std::errc() || used >= line.size() || line[used] != ' ') return {};
  const std::string_view rest = line.substr(used + 1);
  mapping.policy = policy_in(rest.substr(0, rest.find(' ')));
  return mapping;
}

}  // namespace

bool MemoryPolicy::lets(int node) const {
  return !binds || std::ranges::find(nodes, static_cast<unsigned>(node)) != nodes.end();
}

std::vector<MappingPolicy> parse_policies(const std::string& numa_maps) {
  std::vector<MappingPolicy> mappings;
  TextStream lines(numa_maps);
  for (std::string line; std::getline(lines, line);) {
    if (auto mapping = mapping_in(line)) mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

std::vector<MappingPolicy> policies_of(pid_t pid) {
  return parse_policies(machines::raw_text(fmt::format("/proc/{}/numa_maps", pid)));
}

// The first mapping is the program's code, which has no policy of its own. A short read makes the kernel look
// at the pages of only one mapping.
std::optional<MemoryPolicy> policy_of_thread(pid_t pid, pid_t tid) {
  const std::string path = fmt::format("/proc/{}/task/{}/numa_maps", pid, tid);
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text = {};
  const ssize_t got = file ? ::read(file.get(), text.data(), text.size()) : 0;
  if (got <= 0) return {};
  const std::string_view all(text.data(), static_cast<std::size_t>(got));
  const auto mapping = mapping_in(all.substr(0, all.find('\n')));
  if (!mapping) return {};
  return mapping->policy;
}

}  // namespace gable::kmaf::live
