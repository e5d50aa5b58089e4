#include "bench/buffers/kept.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/lists.hpp"
#include "base/pages.hpp"
#include "bench/buffers/chase.hpp"
#include "bench/buffers/not_available.hpp"

namespace gable::bench {

namespace {

const std::uint64_t piece = huge_page();  // so that no huge page is touched by two threads

bool must_link(const Touch& each) {
  return each.chase &&
         (each.buffer->chase_lines != chase_lines(each.bytes) || each.buffer->chase_begin != each.begin);
}

// What must be written: what nobody has touched, and links where numbers shall be.
struct Fresh {
  std::uint64_t begin = 0, end = 0;
  bool replaces_links = false;
};

Fresh fresh_of(const Touch& each) {
  const KeptBuffer& kept = *each.buffer;
  Fresh fresh = {kept.touched, each.begin + each.bytes};
  fresh.replaces_links = !each.chase && each.begin < kept.links_end && kept.links_begin < fresh.end;
  if (!fresh.replaces_links) return fresh;
  fresh.begin = kept.links_begin;
  return fresh;
}

void note_filled(const Touch& each) {
  const Fresh fresh = fresh_of(each);
  KeptBuffer& kept = *each.buffer;
  kept.touched = std::max(kept.touched, fresh.end);
  if (fresh.replaces_links) kept.links_begin = std::min(fresh.end, kept.links_end);
}

void note_linked(const Touch& each) {
  KeptBuffer& kept = *each.buffer;
  const bool first = kept.links_begin == kept.links_end;
  kept.links_begin = first ? each.begin : std::min(kept.links_begin, each.begin);
  kept.links_end = std::max(kept.links_end, each.begin + each.bytes);
  kept.chase_lines = chase_lines(each.bytes);
  kept.chase_begin = each.begin;
  kept.chase_at = 0;
}

}  // namespace

void KeptBuffers::begin_visit(int round) {
  round_ = round;
  ++visits_;
}

KeptBuffer& KeptBuffers::get(const std::string& name, std::uint64_t room, const std::vector<unsigned>& nodes,
                             model::Pages pages) {
  std::unique_ptr<KeptBuffer>& slot = buffers_[name];
  if (!slot || slot->buffer.size() < room) {
    slot.reset();  // the new one may need its memory
    slot = std::make_unique<KeptBuffer>(room, nodes, pages);
  }
  slot->round = round_;
  slot->visit = visits_;
  return *slot;
}

const KeptBuffer* KeptBuffers::find(const std::string& name) const {
  const auto found = buffers_.find(name);
  return found == buffers_.end() ? nullptr : found->second.get();
}

std::uint64_t KeptBuffers::touched() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, kept] : buffers_) bytes += kept ? kept->touched : 0;
  return bytes;
}

std::uint64_t KeptBuffers::touched_on(unsigned node) const {
  std::uint64_t bytes = 0;
  for (const auto& [name, kept] : buffers_) {
    if (kept && std::ranges::find(kept->nodes, node) != kept->nodes.end())
      bytes += kept->touched / kept->nodes.size();
  }
  return bytes;
}

bool KeptBuffers::drop_one_but(const std::vector<std::string>& names, int node) {
  const auto may_go = [&](const std::string& name, const KeptBuffer* kept) {
    if (is_among(names, name)) return false;
    return node < 0 || kept == nullptr ||
           std::ranges::find(kept->nodes, static_cast<unsigned>(node)) != kept->nodes.end();
  };
  const auto order = [&](const KeptBuffer* kept) {
    const bool in_use = kept != nullptr && kept->round + 1 >= round_;
    return std::pair(!in_use, kept == nullptr ? 0 : kept->visit);
  };
  auto chosen = buffers_.end();
  for (auto each = buffers_.begin(); each != buffers_.end(); ++each) {
    if (!may_go(each->first, each->second.get())) continue;
    if (chosen == buffers_.end() || order(each->second.get()) > order(chosen->second.get())) chosen = each;
  }
  if (chosen == buffers_.end()) return false;
  buffers_.erase(chosen);
  return true;
}

void touch(const std::vector<Touch>& all, Team& team, const std::function<bool()>& too_late) {
  struct Hand {
    std::size_t number, of;
    std::vector<const Touch*> work;
  };
  std::vector<unsigned> cpus;
  std::vector<Hand> hands;
  for (const Touch& each : all) {
    if (const Fresh fresh = fresh_of(each); fresh.begin >= fresh.end && !must_link(each)) continue;
    for (std::size_t i = 0; i < each.cpus.size(); ++i) {
      const auto known = std::ranges::find(cpus, each.cpus[i]);
      const auto at = static_cast<std::size_t>(known - cpus.begin());
      if (known == cpus.end()) {
        cpus.push_back(each.cpus[i]);
        hands.push_back({i, each.cpus.size(), {}});
      }
      hands[at].work.push_back(&each);
    }
  }
  for (const Touch& each : all) {
    if (fresh_of(each).replaces_links) each.buffer->chase_lines = 0;  // even if it becomes too late
  }
  std::atomic<bool> late{false};
  team.run(cpus, [&](std::size_t i) {
    const auto& [number, of, work] = hands[i];
    for (const Touch* each : work) {
      const auto [begin, end, links] = fresh_of(*each);
      for (std::uint64_t at = begin / piece * piece + number * piece; at < end; at += of * piece) {
        if (late || too_late()) {
          late = true;
          return;
        }
        each->buffer->buffer.fill(std::max(at, begin), std::min(at + piece, end));
      }
    }
  });
  if (late) throw NotAvailable(model::NoteCode::budget_used_touching);
  for (const Touch& each : all) note_filled(each);
  // This is a second step, because a thread links pages that others have touched.
  team.run(cpus, [&](std::size_t i) {
    for (const Touch* each : hands[i].work) {
      if (must_link(*each))
        build_chase(each->buffer->buffer.data() + each->begin, each->bytes, hands[i].number, hands[i].of);
    }
  });
  for (const Touch& each : all) {
    if (must_link(each)) note_linked(each);
  }
}

}  // namespace gable::bench
