#include "bench/buffers/kept.hpp"

#include <algorithm>
#include <atomic>

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

}  // namespace

KeptBuffer& KeptBuffers::get(const std::string& name, std::uint64_t room, const std::vector<unsigned>& nodes,
                             model::Pages pages) {
  std::unique_ptr<KeptBuffer>& slot = buffers_[name];
  if (slot && slot->buffer.size() >= room) return *slot;
  slot.reset();  // the new one may need its memory
  slot = std::make_unique<KeptBuffer>(room, nodes, pages);
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

bool KeptBuffers::drop_all_but(const std::vector<std::string>& names) {
  return std::erase_if(buffers_, [&](const auto& entry) { return !is_among(names, entry.first); }) > 0;
}

void touch(const std::vector<Touch>& all, Team& team, const std::function<bool()>& too_late) {
  struct Hand {
    std::size_t number, of;
    std::vector<const Touch*> work;
  };
  std::vector<unsigned> cpus;
  std::vector<Hand> hands;
  for (const Touch& each : all) {
    if (each.begin + each.bytes <= each.buffer->touched && !must_link(each)) continue;
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
  std::atomic<bool> late{false};
  team.run(cpus, [&](std::size_t i) {
    const auto& [number, of, work] = hands[i];
    for (const Touch* each : work) {
      const KeptBuffer& kept = *each->buffer;
      const std::uint64_t end = each->begin + each->bytes;
      for (std::uint64_t at = kept.touched / piece * piece + number * piece; at < end; at += of * piece) {
        if (late || too_late()) {
          late = true;
          return;
        }
        kept.buffer.fill(std::max(at, kept.touched), std::min(at + piece, end));
      }
    }
  });
  if (late) throw NotAvailable(model::NoteCode::budget_used_touching);
  for (const Touch& each : all)
    each.buffer->touched = std::max(each.buffer->touched, each.begin + each.bytes);
  // This is a second step, because a thread links pages that others have touched.
  team.run(cpus, [&](std::size_t i) {
    for (const Touch* each : hands[i].work) {
      if (must_link(*each))
        build_chase(each->buffer->buffer.data() + each->begin, each->bytes, hands[i].number, hands[i].of);
    }
  });
  for (const Touch& each : all) {
    if (!must_link(each)) continue;
    each.buffer->chase_lines = chase_lines(each.bytes);
    each.buffer->chase_begin = each.begin;
    each.buffer->chase_at = 0;
  }
}

}  // namespace gable::bench
