#include "model/profile/location.hpp"
#include "base/sorting.hpp"

#include <algorithm>
#include <cmath>

namespace gable::model {
namespace {

using NodeShares = std::map<int, double>;

constexpr double little = 0.02;                    // of all bytes: smaller objects do not matter
constexpr std::uint64_t least_block = 128u << 10;  // smaller heap blocks have no range of their own
constexpr std::uint64_t most_beside = 2 * 4096;    // header and end of a block's last page

struct ReachedBytes {
  const ProfileObject* object = nullptr;
  double read = 0, written = 0;
  NodeShares nodes;         // empty: not known
  bool is_located = false;  // its range is known, but perhaps not its nodes

  double bytes() const { return read + written; }
};

std::vector<ReachedBytes> reached_objects(const Profile& profile, const ProfileCache& cache) {
  std::vector<ReachedBytes> all(profile.objects.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i].object = &profile.objects[i];
  for (const ProfileUses& uses : profile.uses) {
    const Traffic traffic = traffic_behind(profile, uses, cache);
    all[static_cast<std::size_t>(uses.object)].read += traffic.fetched();
    all[static_cast<std::size_t>(uses.object)].written += traffic.written_back + traffic.streamed;
  }
  return all;
}

bool is_allocated(const ProfileObject& object) {
  return row_of(object.kind).is_allocated;
}

RangeKind kind_of(const ProfileObject& object) {
  return object.kind == ObjectKind::variable ? RangeKind::statics
         : object.kind == ObjectKind::stack  ? RangeKind::stack
         : object.kind == ObjectKind::file   ? RangeKind::file
                                             : RangeKind::allocated;
}

NodeShares to_one(NodeShares nodes) {
  double sum = 0;
  for (const auto& [node, part] : nodes) sum += part;
  for (auto& [node, part] : nodes) part /= sum;
  return nodes;
}

NodeShares shares_of(const std::vector<const MappedRange*>& ranges) {
  NodeShares nodes;
  for (const MappedRange* range : ranges) {
    for (const auto& [node, bytes] : range->node_bytes) nodes[node] += static_cast<double>(bytes);
  }
  return to_one(nodes);
}

// Of the parts from `begin` to `end` of a range, in bytes.
NodeShares shares_of(const MappedRange& range, double begin, double end) {
  const double each = static_cast<double>(range.bytes) / static_cast<double>(range.nodes.size());
  NodeShares nodes;
  for (std::size_t i = 0; i < range.nodes.size(); ++i) {
    const double middle = (static_cast<double>(i) + 0.5) * each;
    if (middle >= begin && middle < end && range.nodes[i] >= 0) nodes[range.nodes[i]] += 1;
  }
  return to_one(nodes);
}

// Whether each eighth of the range has about these shares.
bool is_spread(const MappedRange& range, const NodeShares& as) {
  constexpr int eighths = 8;
  constexpr double tolerance = 0.15;
  const bool is_on_one = as.size() == 1;
  if (range.nodes.size() < 8 * eighths && !is_on_one) return false;
  for (int i = 0; i < eighths && !is_on_one; ++i) {
    const double part = static_cast<double>(range.bytes) / eighths;
    NodeShares found = shares_of(range, i * part, (i + 1) * part);
    for (const auto& [node, share] : as) {
      if (!found.empty() && std::abs(found[node] - share) > tolerance) return false;
    }
  }
  return true;
}

// The shares of any part of these ranges; empty if parts differ. Small ranges do not matter.
NodeShares common_shares(const std::vector<const MappedRange*>& ranges) {
  NodeShares all = shares_of(ranges);
  std::erase_if(all, [&](const auto& node) { return node.second < little; });
  all = to_one(all);
  double resident = 0;
  const auto bytes_of = [](const MappedRange& range) {
    double bytes = 0;
    for (const auto& [node, more] : range.node_bytes) bytes += static_cast<double>(more);
    return bytes;
  };
  for (const MappedRange* range : ranges) resident += bytes_of(*range);
  const bool same = std::ranges::all_of(ranges, [&](const MappedRange* range) {
    return bytes_of(*range) < little * resident || is_spread(*range, all);
  });
  return same ? all : NodeShares();
}

bool has_size(const MappedRange& range, std::uint64_t bytes, std::size_t blocks) {
  return range.bytes >= bytes && range.bytes - bytes <= blocks * most_beside;
}

// Objects that a range may hold: one block each, in the order of their allocation. The C library maps large
// heap blocks as programs map memory.
std::vector<ReachedBytes*> mapped_blocks(std::vector<ReachedBytes>& all) {
  std::vector<ReachedBytes*> blocks;
  for (ReachedBytes& each : all) {
    const bool is_mapped = each.object->kind == ObjectKind::mapping || each.object->peak_bytes >= least_block;
    if (is_allocated(*each.object) && each.object->blocks == 1 && is_mapped) blocks.push_back(&each);
  }
  sort_by(blocks, [](const ReachedBytes* each) { return each->object->born; });
  return blocks;
}

// The only run of blocks whose sizes together are that of the range; empty: none, or several.
std::vector<ReachedBytes*> blocks_in(const MappedRange& range, const std::vector<ReachedBytes*>& blocks) {
  std::vector<ReachedBytes*> found;
  for (std::size_t from = 0; from < blocks.size(); ++from) {
    std::uint64_t sum = 0;
    for (std::size_t to = from; to < blocks.size() && sum <= range.bytes; ++to) {
      sum += blocks[to]->object->peak_bytes;
      if (!has_size(range, sum, to - from + 1)) continue;
      if (!found.empty()) return {};
      found.assign(blocks.begin() + static_cast<std::ptrdiff_t>(from),
                   blocks.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    }
  }
  return found;
}

// Blocks that share a range lie in it from its end to its begin.
void set_nodes(const MappedRange& range, const std::vector<ReachedBytes*>& blocks) {
  if (blocks.size() == 1) {
    blocks.front()->nodes = shares_of({&range});
    return;
  }
  auto end = static_cast<double>(range.bytes);
  for (ReachedBytes* block : blocks) {
    const double begin = end - static_cast<double>(block->object->peak_bytes);
    block->nodes = range.nodes.empty() ? common_shares({&range}) : shares_of(range, begin, end);
    end = begin;
  }
}

// Finds blocks in ranges of their size; returns the ranges without any.
std::vector<const MappedRange*> find_blocks(std::vector<ReachedBytes>& all,
                                            const std::vector<MappedRange>& ranges) {
  const std::vector<ReachedBytes*> blocks = mapped_blocks(all);
  std::vector<std::pair<const MappedRange*, std::vector<ReachedBytes*>>> found;
  std::vector<const MappedRange*> others;
  for (const MappedRange& range : ranges) {
    if (range.kind != RangeKind::allocated) continue;
    found.emplace_back(&range, blocks_in(range, blocks));
  }
  for (const auto& [range, in] : found) {
    const auto has_one = [&, mine = &in](const auto& other) {
      return &other.second != mine && std::ranges::find_first_of(other.second, *mine) != other.second.end();
    };
    if (in.empty() || std::ranges::any_of(found, has_one)) {
      others.push_back(range);
    } else {
      for (ReachedBytes* block : in) block->is_located = true;
      set_nodes(*range, in);
    }
  }
  return others;
}

std::vector<const MappedRange*> ranges_of(const std::vector<MappedRange>& ranges,
                                          const ProfileObject& object) {
  std::vector<const MappedRange*> found;
  for (const MappedRange& range : ranges) {
    const bool is_it =
        range.kind == kind_of(object) && (range.kind != RangeKind::file || range.file == object.image);
    if (is_it) found.push_back(&range);
  }
  return found;
}

}  // namespace

std::vector<NodeAccess> accesses_by_location(const Profile& profile, const ProfileCache& last_cache,
                                             const std::vector<MappedRange>& ranges) {
  std::vector<ReachedBytes> all = reached_objects(profile, last_cache);
  const std::vector<const MappedRange*> others = find_blocks(all, ranges);
  const NodeShares of_others = common_shares(others);
  double sum = 0, unknown = 0;
  for (ReachedBytes& each : all) {
    if (each.nodes.empty() && !each.is_located)
      each.nodes = is_allocated(*each.object) ? of_others : common_shares(ranges_of(ranges, *each.object));
    sum += each.bytes();
    if (each.nodes.empty()) unknown += each.bytes();
  }
  if (unknown > little * sum || sum <= 0) return {};
  std::map<int, NodeAccess> nodes;
  for (const ReachedBytes& each : all) {
    for (const auto& [node, share] : each.nodes) {
      nodes[node].load += share * each.read * sum / (sum - unknown);
      nodes[node].store += share * each.written * sum / (sum - unknown);
    }
  }
  std::vector<NodeAccess> accesses;
  for (auto& [node, access] : nodes) {
    access.node = node;
    if (access.load + access.store > 0) accesses.push_back(access);
  }
  return accesses;
}

}  // namespace gable::model
