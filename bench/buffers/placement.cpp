#include "bench/buffers/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/buffers/free_memory.hpp"
#include "bench/buffers/streams.hpp"

namespace gable::bench {

namespace {

constexpr std::uint64_t slack = stream_slack;
constexpr double most_of_free_memory = 0.7;
constexpr double least_of_wanted = 0.5;
constexpr double least_in_huge_pages = 0.98;

// Sets the stream pointers according to the layout; returns the bytes used.
std::uint64_t apply(const MixedLayout& layout, const Buffer& buffer, kernels::Arguments& arguments) {
  for (int s = 0; s < 3; ++s) {
    if (layout.streams[s].bytes == 0) continue;
    std::byte* begin = buffer.data() + layout.streams[s].offset;
    if (s == 2) {
      arguments.store = begin;
    } else {
      arguments.load[s] = begin;
    }
  }
  arguments.iterations_per_pass = layout.iterations_per_pass;
  arguments.position = 0;
  return layout.used_bytes;
}

}  // namespace

Placement::Placement(const Run& run, const std::vector<std::vector<unsigned>>& pus,
                     std::optional<std::uint64_t> available_bytes, Team& team)
    : name_(placement(run)), pages_(run.cases.front().pages) {
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    Part& part = parts_.emplace_back();
    part.nodes = run.shares[i].nodes;
    part.node_percent = run.shares[i].node_percent;
    part.node_weight = run.shares[i].node_weight;
    part.other_weight = run.shares[i].other_weight;
    part.pus = pus[i];
    part.wanted.assign(pus[i].size(), run.capacity_bytes + slack);
    if (!part.wanted.empty())
      part.wanted.front() = std::max(run.capacity_bytes, run.first_capacity_bytes) + slack;
  }
  const auto [share, where] = room(available_bytes);
  if (share < least_of_wanted) {
    throw PlacementError{
        fmt::format("not enough free memory{}: {:.0f} % of the buffers would fit", where, 100 * share)};
  }
  std::vector<unsigned> cpus;
  std::vector<std::pair<std::size_t, std::size_t>> owners;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = parts_[p];
    for (std::size_t t = 0; t < part.pus.size(); ++t) {
      const auto bytes = static_cast<std::uint64_t>(static_cast<double>(part.wanted[t]) * share);
      make_buffer(part, bytes, run.cases[p]);
      cpus.push_back(part.pus[t]);
      owners.emplace_back(p, t);
    }
    part.linked.assign(part.pus.size(), 0);
    part.chase_lines.assign(part.pus.size(), 0);
  }
  if (share < 1)
    notes_.push_back(fmt::format("buffers have {:.0f} % of the requested size: not enough free memory{}",
                                 100 * share, where));
  std::ranges::sort(notes_);
  notes_.erase(std::unique(notes_.begin(), notes_.end()), notes_.end());
  team.run(cpus, [&](std::size_t i) {
    const Buffer& buffer = parts_[owners[i].first].buffers[owners[i].second];
    buffer.fill(buffer.size());
  });
  if (page_unit(pages_) == huge_page()) check_huge_pages();
}

void Placement::make_buffer(Part& part, std::uint64_t bytes, const model::Case& asked) {
  if (part.node_percent < 0) {
    part.buffers.emplace_back(bytes, part.nodes, pages_, notes_);
    return;
  }
  const kernels::Kernel* kernel = kernels::named(asked.kernel);
  const PageShare pages = part.node_weight > 0 ? PageShare::weighted(part.node_weight, part.other_weight)
                                               : PageShare(part.node_percent);
  part.layouts.push_back(mixed_layout(*kernel, bytes - slack, page_unit(pages_), pages));
  part.buffers.emplace_back(ranges_of(part.layouts.back(), part.nodes[0], part.nodes[1]), pages_, notes_);
}

// The fraction of the request that fits into the process's limit and into every bound node.
Placement::Room Placement::room(std::optional<std::uint64_t> available_bytes) const {
  const std::uint64_t page = page_unit(pages_);
  std::uint64_t total = 0;
  std::map<unsigned, std::uint64_t> by_node;
  for (const Part& part : parts_) {
    std::uint64_t bytes = 0;  // in whole pages, which may be much larger than what a thread wants
    for (const std::uint64_t wanted : part.wanted) bytes += (wanted + page - 1) / page * page;
    total += bytes;
    for (const unsigned node : part.nodes) {
      const bool first = node == part.nodes.front();
      const double even = 1 / static_cast<double>(part.nodes.size());
      const double here = part.node_percent < 0 ? even
                          : first               ? part.node_percent / 100.0
                                                : 1 - part.node_percent / 100.0;
      by_node[node] += static_cast<std::uint64_t>(here * static_cast<double>(bytes));
    }
  }
  Room room;
  const auto limit = [&](std::uint64_t wanted, std::optional<std::uint64_t> free, const std::string& where) {
    if (!free || wanted == 0) return;
    const double share = most_of_free_memory * static_cast<double>(*free) / static_cast<double>(wanted);
    if (share < room.share) room = {share, where};
  };
  limit(total, available_bytes, "");
  for (const auto& [node, bytes] : by_node) limit(bytes, free_bytes(node), fmt::format(" on node {}", node));
  return room;
}

void Placement::check_huge_pages() const {
  const HugePages pages;
  for (const Part& part : parts_) {
    for (const Buffer& buffer : part.buffers) {
      const double share = pages.share(buffer.data(), buffer.size());
      if (share >= least_in_huge_pages || share < 0) continue;
      throw PlacementError{
          fmt::format("only {:.0f} % of the buffer has {} pages: transparent huge pages are off or "
                      "memory is fragmented "
                      "(echo madvise > /sys/kernel/mm/transparent_hugepage/enabled)",
                      100 * share, bytes_text(huge_page()))};
    }
  }
}

bool Placement::serves(const Run& run, const std::vector<std::vector<unsigned>>& pus) const {
  if (placement(run) != name_) return false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (pus[i] != part.pus) return false;
    if (part.wanted.back() < run.capacity_bytes + slack ||
        part.wanted.front() < run.first_capacity_bytes + slack)
      return false;
  }
  return true;
}

std::uint64_t Placement::lay_out(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                                 std::uint64_t bytes, kernels::Arguments& arguments) {
  Part& part = parts_[share];
  const Buffer& buffer = part.buffers[thread];
  if (!part.layouts.empty()) return apply(part.layouts[thread], buffer, arguments);
  if (part.linked[thread] > 0) {  // addresses read as numbers are denormal and slow
    buffer.fill(part.linked[thread]);
    part.linked[thread] = 0;
    part.chase_lines[thread] = 0;
  }
  return lay_streams(kernel, buffer.data(), std::min<std::uint64_t>(bytes, buffer.size() - slack), arguments);
}

std::uint64_t Placement::lay_chase(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                                   std::uint64_t bytes, kernels::Arguments& arguments) {
  Part& part = parts_[share];
  const Buffer& buffer = part.buffers[thread];
  const std::uint64_t usable = std::min<std::uint64_t>(bytes, buffer.size() - slack);
  const std::uint64_t lines = chase_lines(usable);
  if (part.chase_lines[thread] != lines) build_chase(buffer.data(), usable);
  part.chase_lines[thread] = lines;
  part.linked[thread] = std::max(part.linked[thread], usable);
  for (std::uint32_t c = 0; c < kernel.chains; ++c)
    arguments.cursor[c] = buffer.data() + lines / kernel.chains * c * line_bytes();
  arguments.iterations_per_pass = std::max<std::uint64_t>(1, lines * 8 * kernel.chains / kernel.load_bytes);
  return lines * line_bytes();
}

}  // namespace gable::bench
