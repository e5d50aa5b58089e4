#include "bench/buffers/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/pages.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/buffers/free_memory.hpp"
#include "bench/buffers/not_available.hpp"
#include "bench/buffers/streams.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/schedule/regions.hpp"

namespace gable::bench {

namespace {

// Whether so little memory is nothing to this process and to these nodes.
bool is_little(std::uint64_t bytes, std::optional<std::uint64_t> available_bytes,
               const std::vector<unsigned>& nodes) {
  const std::uint64_t plenty = 16 * bytes;
  return available_bytes.value_or(plenty) >= plenty && std::ranges::all_of(nodes, [&](unsigned node) {
           return free_bytes(node).value_or(plenty) >= plenty;
         });
}

// Where this round uses a buffer: one of the places of `bytes` in what is touched, or may be touched for
// this.
std::uint64_t place_in(const KeptBuffer& kept, std::uint64_t bytes, int round,
                       std::optional<std::uint64_t> available_bytes) {
  std::uint64_t places = std::max<std::uint64_t>(1, kept.touched / bytes);
  const std::uint64_t more = std::min<std::uint64_t>(kept.buffer.size(), varied_bytes) / bytes;
  if (more > places && is_little(varied_bytes, available_bytes, kept.nodes)) places = more;
  return static_cast<std::uint64_t>(round) % places * bytes;
}

}  // namespace

Placement::Placement(const Run& run, int round, const std::vector<std::vector<unsigned>>& pus,
                     std::optional<std::uint64_t> available_bytes, Team& team, KeptBuffers& kept)
    : pages_(run.cases.front().pages) {
  kept.begin_visit(round);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    Part& part = parts_.emplace_back();
    const model::Case& wanted = run.cases[i];
    part.share = run.shares[i];
    part.pus = pus[i];
    part.each = model::streams(wanted.kind) ? wanted.bytes : run.loader_bytes;
    part.threads = part.each > 0 ? static_cast<std::size_t>(wanted.threads) : 0;
    part.chase = model::streams(wanted.kind) ? 0 : wanted.bytes;
    const std::string name = region_name(run, i);
    if (part.threads > 0) names.push_back(name);
    if (part.chase > 0) names.push_back(chase_name(run, i));
  }
  shrink(1);
  if (take_mixed(run, round, available_bytes, team, kept)) return;
  make_room(run, available_bytes, names, kept);
  take(run, names, kept);
  std::vector<Touch> touches;
  for (Part& part : parts_) {
    if (part.streams != nullptr) {
      part.begin = place_in(*part.streams, part.distance * part.threads, round, available_bytes);
      touches.push_back({part.streams, part.begin, part.distance * part.threads, false, part.pus});
    }
    if (part.chased != nullptr) {
      part.chase_begin = place_in(*part.chased, slice_bytes(part.chase, pages_), round, available_bytes);
      touches.push_back({part.chased, part.chase_begin, part.chase, true, part.pus});
    }
  }
  touch(touches, team, kept.too_late);
  for (const Touch& each : touches) {
    notes_.insert(notes_.end(), each.buffer->notes.begin(), each.buffer->notes.end());
    if (page_unit(pages_) == huge_page() && each.buffer->checked < each.buffer->touched) {
      each.buffer->fault = not_in_huge_pages(each.buffer->buffer, each.buffer->touched);
      each.buffer->checked = each.buffer->touched;
    }
    if (!each.buffer->fault.empty()) throw NotAvailable(each.buffer->fault);
  }
  notes_ = distinct(notes_, std::identity());
}

// Gives back what this run does not need, then shrinks its buffers.
void Placement::make_room(const Run& run, std::optional<std::uint64_t> available_bytes,
                          const std::vector<std::string>& names, KeptBuffers& kept) {
  Fit room = fit(run, available_bytes, kept);
  while (room.share < 1 && kept.drop_one_but(names, room.node)) room = fit(run, available_bytes, kept);
  const std::string where = room.node < 0 ? "" : fmt::format(" on node {}", room.node);
  if (room.share < run.least_share) {
    throw NotAvailable({model::NoteCode::little_memory, {where, std::floor(100 * room.share)}});
  }
  if (room.share >= 1) return;
  shrink(room.share);
  constexpr double as_requested = 0.99;  // close enough: the figures are the same
  if (room.share >= as_requested) return;
  const auto note = room.share < run.ample_share ? model::NoteCode::smaller_buffers
                                                 : model::NoteCode::smaller_ample_buffers;
  notes_.push_back({note, {std::floor(100 * room.share), where}});
}

void Placement::shrink(double share) {
  const auto part_of = [&](std::uint64_t bytes) {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * share) / small_page() * small_page();
  };
  for (Part& part : parts_) {
    if (share < 1) {
      part.each = part_of(part.each);
      part.chase = part_of(part.chase);
    }
    part.distance = part.share.node_percent < 0 ? slice_bytes(part.each, pages_)
                                                : region_bytes(part.each, page_unit(pages_));
  }
}

// Memory that is kept is mapped with room for all runs of the plan; address space costs nothing.
void Placement::take(const Run& run, const std::vector<std::string>& names, KeptBuffers& kept) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = parts_[i];
    const std::string name = region_name(run, i);
    const auto get = [&](const std::string& of, std::uint64_t need, std::uint64_t room) -> KeptBuffer* {
      if (need == 0) return nullptr;
      try {
        return &kept.get(of, std::max(need, room), part.share.nodes, pages_);
      } catch (const Error&) {  // reserved pages: there may be enough for this run alone
        while (kept.drop_one_but(names)) {
        }
        return &kept.get(of, need, part.share.nodes, pages_);
      }
    };
    part.streams = get(name, part.distance * part.threads, part.share.stream_room);
    part.chased = get(chase_name(run, i), part.chase, part.share.chase_room);
  }
}

// The pages for one share serve all kernels, in two rounds in a row.
bool Placement::take_mixed(const Run& run, int round, std::optional<std::uint64_t> available_bytes,
                           Team& team, KeptBuffers& kept) {
  mixed_ = nullptr;
  if (parts_.front().share.node_percent < 0) {
    kept.mixed.forget();
    return false;
  }
  std::string name = fmt::format("{} {}", placement(run), (round + 1) / 2);
  for (const Part& part : parts_) name += fmt::format(" {} x {}", part.each, part.threads);
  if (kept.mixed.name() != name) {
    kept.mixed.forget();
    make_room(run, available_bytes, {}, kept);
    std::vector<MixedPart> mixed;
    for (const Part& part : parts_) {
      const auto end = part.pus.begin() + static_cast<std::ptrdiff_t>(part.threads);
      mixed.push_back({part.share, part.each, {part.pus.begin(), end}});
    }
    kept.mixed.begin(name, std::move(mixed), pages_, std::move(notes_));
  }
  try {
    kept.mixed.touch(*kernels::named(run.cases.front().kernel), team);
  } catch (...) {
    kept.mixed.forget();
    throw;
  }
  notes_ = distinct(kept.mixed.notes(), std::identity());
  mixed_ = &kept.mixed;
  return true;
}

// The fraction of the request that fits into the process's limit and into every bound node, beside what is
// kept.
Placement::Fit Placement::fit(const Run& run, std::optional<std::uint64_t> available_bytes,
                              const KeptBuffers& kept) const {
  double total = 0, total_there = 0;
  std::map<unsigned, double> wanted, there;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const auto streams = static_cast<double>(part.distance * part.threads);
    const double bytes = streams + static_cast<double>(part.chase);
    double mine = 0;  // of these, what is touched already
    if (const KeptBuffer* known = kept.find(region_name(run, i)))
      mine += std::min(streams, static_cast<double>(known->touched));
    if (const KeptBuffer* known = kept.find(chase_name(run, i)))
      mine += std::min(static_cast<double>(part.chase), static_cast<double>(known->touched));
    total += bytes;
    total_there += mine;
    for (const unsigned node : part.share.nodes) {
      const bool first = node == part.share.nodes.front();
      const double even = 1 / static_cast<double>(part.share.nodes.size());
      const double here = part.share.node_percent < 0 ? even
                          : first                     ? part.share.node_percent / 100.0
                                                      : 1 - part.share.node_percent / 100.0;
      wanted[node] += here * bytes;
      there[node] += here * mine;
    }
  }
  Fit found;
  const auto limit = [&](double wanted, double mine, std::optional<std::uint64_t> all, std::uint64_t held,
                         int node) {
    if (!all || wanted <= mine) return;
    const double further =
        std::max(0.0, most_of_memory * static_cast<double>(*all) - static_cast<double>(held));
    const double share = (mine + further) / wanted;
    if (share < found.share) found = {share, node};
  };
  limit(total, total_there, available_bytes, kept.touched(), -1);
  for (const auto& [node, bytes] : wanted) {
    if (bytes <= there[node]) continue;  // the kernel's figures take time to read
    std::optional<std::uint64_t> free = free_bytes(node);
    if (free) *free += kept.touched_on(node);
    limit(bytes, there[node], free, kept.touched_on(node), static_cast<int>(node));
  }
  return found;
}

std::uint64_t Placement::lay_out(const kernels::Kernel& kernel, std::size_t share, std::size_t thread,
                                 std::uint64_t bytes, kernels::Arguments& arguments) {
  const Part& part = parts_[share];
  if (mixed_ != nullptr) return mixed_->lay_out(share, thread, arguments);
  return lay_streams(kernel, part.streams->buffer.data() + part.begin + thread * part.distance,
                     std::min(bytes, part.each), arguments);
}

std::uint64_t Placement::lay_chase(const kernels::Kernel& kernel, std::size_t share, std::uint64_t bytes,
                                   kernels::Arguments& arguments) {
  const Part& part = parts_[share];
  KeptBuffer& kept = *part.chased;
  std::byte* const begin = kept.buffer.data() + part.chase_begin;
  const std::uint64_t usable = std::min(bytes, part.chase);
  const std::uint64_t lines = chase_lines(usable);
  if (kept.chase_lines != lines) {
    build_chase(begin, usable);
    kept.chase_at = 0;
  }
  kept.chase_lines = lines;
  start_chase(kernel, begin + kept.chase_at, lines, arguments);
  return lines * line_bytes();
}

const std::byte* Placement::chase(std::size_t share) const {
  return parts_[share].chased->buffer.data() + parts_[share].chase_begin;
}

void Placement::chase_stopped(std::size_t share, const void* cursor) {
  parts_[share].chased->chase_at =
      static_cast<std::uint64_t>(static_cast<const std::byte*>(cursor) - chase(share));
}

}  // namespace gable::bench
