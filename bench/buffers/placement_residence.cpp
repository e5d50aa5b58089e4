// Compares where the pages of a placement are with where they were requested.

#include <algorithm>
#include <numeric>

#include "bench/buffers/placement.hpp"

namespace gable::bench {

namespace {

double mib(std::uint64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

std::uint64_t sum(const std::map<int, std::uint64_t>& found) {
  return std::accumulate(found.begin(), found.end(), std::uint64_t{0},
                         [](std::uint64_t total, const auto& node) { return total + node.second; });
}

// Describes pages on other nodes than requested, or empty.
model::Note on_other_nodes(const std::vector<unsigned>& wanted, const std::map<int, std::uint64_t>& found) {
  for (const auto& [node, bytes] : found) {
    if (node < 0) return {model::NoteCode::pages_not_in_memory, {mib(bytes)}};
    if (std::ranges::find(wanted, static_cast<unsigned>(node)) == wanted.end())
      return {model::NoteCode::pages_elsewhere, {mib(bytes), mib(sum(found)), double(node)}};
  }
  return {};
}

}  // namespace

std::map<int, std::uint64_t> Placement::residence(std::size_t share, std::size_t threads,
                                                  std::uint64_t bytes) const {
  const std::size_t most_pages = std::max<std::size_t>(64, 16384 / std::max<std::size_t>(1, threads));
  return located(share, threads, bytes, [&](const Buffer& buffer, std::uint64_t begin, std::uint64_t size) {
    return buffer.residence(size, most_pages, begin);
  });
}

// Looks at the chase and at the slices of the threads that stream.
std::map<int, std::uint64_t> Placement::located(std::size_t share, std::size_t threads, std::uint64_t bytes,
                                                const Look& look) const {
  std::map<int, std::uint64_t> found;
  const auto add = [&](const Buffer& buffer, std::uint64_t begin, std::uint64_t size) {
    for (const auto& [node, here] : look(buffer, begin, size)) found[node] += here;
  };
  const Part& part = parts_[share];
  if (part.chased != nullptr) add(part.chased->buffer, part.chase_begin, std::min(bytes, part.chase));
  for (std::size_t t = part.chased != nullptr ? 1 : 0; t < std::min(threads, part.threads); ++t) {
    add(part.streams->buffer, part.begin + t * part.distance, std::min(bytes, part.each));
  }
  return found;
}

model::Note Placement::strayed(std::size_t share, std::size_t threads, std::uint64_t bytes) const {
  const std::size_t most_pages = std::max<std::size_t>(8, 1024 / std::max<std::size_t>(1, threads));
  if (mixed_ != nullptr) return on_other_nodes(parts_[share].share.nodes, mixed_->glimpse(share, most_pages));
  return on_other_nodes(
      parts_[share].share.nodes,
      located(share, threads, bytes, [&](const Buffer& buffer, std::uint64_t begin, std::uint64_t size) {
        return buffer.glimpse(size, most_pages, begin);
      }));
}

model::Note Placement::misplaced(std::size_t share, const std::map<int, std::uint64_t>& found,
                                 bool single_node_machine) const {
  if (found.empty()) return single_node_machine ? model::NoteCode::none : model::NoteCode::pages_not_located;
  const Part& part = parts_[share];
  const std::uint64_t total = sum(found);
  if (const model::Note foreign = on_other_nodes(part.share.nodes, found); !foreign.empty()) return foreign;
  for (const unsigned node : part.share.nodes) {
    const auto here = found.find(static_cast<int>(node));
    const double fair = static_cast<double>(total) / static_cast<double>(part.share.nodes.size());
    const double bytes = here == found.end() ? 0 : static_cast<double>(here->second);
    if (part.share.nodes.size() > 1 && (bytes < 0.8 * fair || bytes > 1.25 * fair)) {
      return {model::NoteCode::pages_uneven, {double(node), bytes / (1 << 20), mib(total)}};
    }
  }
  return {};
}

}  // namespace gable::bench
