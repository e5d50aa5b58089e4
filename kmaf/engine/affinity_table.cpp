#include "kmaf/engine/affinity_table.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace gable::kmaf {

namespace {

std::size_t counter_bytes(int bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}

void check(const Config& config, int nodes) {
  const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
  if (!std::has_single_bit(config.page_bytes)) refuse("page_bytes must be a power of two");
  if (!std::has_single_bit(config.sub_block_bytes) || config.sub_block_bytes > config.page_bytes) {
    refuse("sub_block_bytes must be a power of two, at most page_bytes");
  }
  if (config.counter_bits < 1 || config.counter_bits > 32) refuse("counter_bits must be 1 to 32");
  if (config.sharers < 2) refuse("sharers must be at least 2");
  if (nodes < 1) refuse("a machine has at least one node");
}

}  // namespace

std::size_t entry_bytes(const Config& config, int nodes) {
  return counter_bytes(config.counter_bits) * static_cast<std::size_t>(nodes) +
         std::size_t{config.page_bytes} / config.sub_block_bytes * sizeof(AffinityTable::Thread) *
             static_cast<std::size_t>(config.sharers);
}

AffinityTable::AffinityTable(const Config& config, int nodes)
    : nodes_(nodes),
      sharers_(config.sharers),
      sub_block_shift_(std::countr_zero(config.sub_block_bytes)),
      offset_mask_(config.page_bytes - 1) {
  check(config, nodes);
  counter_bytes_ = counter_bytes(config.counter_bits);
  entry_bytes_ = entry_bytes(config, nodes);
  counter_most_ = static_cast<std::uint32_t>((std::uint64_t{1} << config.counter_bits) - 1);
}

std::size_t AffinityTable::entry(const Page& page) {
  const auto [found, is_new] = index_.try_emplace(page, home_.size());
  if (is_new) {
    const std::size_t at = vectors_.size();
    vectors_.resize(at + entry_bytes_, 0xff);
    std::memset(&vectors_[at], 0, counter_bytes_ * static_cast<std::size_t>(nodes_));
    home_.push_back(-1);
    pages_.push_back(page);
    ++of_object_[page.object];
  }
  return found->second;
}

void AffinityTable::drop(std::uint64_t object) {
  const auto found = of_object_.find(object);
  if (found == of_object_.end()) return;
  entries_dropped_ += found->second;
  of_object_.erase(found);
  dropped_.insert(object);
  if (2 * entries_dropped_ >= entries()) take_out_dropped();
}

void AffinityTable::take_out_dropped() {
  std::size_t kept = 0;
  for (std::size_t entry = 0; entry < entries(); ++entry) {
    const Page page = pages_[entry];
    if (dropped_.contains(page.object)) {
      index_.erase(page);
      continue;
    }
    if (kept != entry) {
      std::memcpy(&vectors_[kept * entry_bytes_], &vectors_[entry * entry_bytes_], entry_bytes_);
      home_[kept] = home_[entry];
      pages_[kept] = page;
      index_[page] = kept;
    }
    ++kept;
  }
  vectors_.resize(kept * entry_bytes_);
  home_.resize(kept);
  pages_.resize(kept);
  vectors_.shrink_to_fit();
  home_.shrink_to_fit();
  pages_.shrink_to_fit();
  index_.rehash(0);
  for (const std::uint64_t object : dropped_) of_object_.erase(object);  // if it had new pages since
  dropped_.clear();
  entries_dropped_ = 0;
}

std::uint32_t AffinityTable::counter(std::size_t entry, int node) const {
  std::uint32_t value = 0;  // little endian: the low bytes come first
  std::memcpy(&value, &vectors_[entry * entry_bytes_ + static_cast<std::size_t>(node) * counter_bytes_],
              counter_bytes_);
  return value;
}

std::optional<std::size_t> AffinityTable::find(const Page& page) const {
  const auto found = index_.find(page);
  if (found == index_.end()) return {};
  return found->second;
}

bool AffinityTable::count(std::size_t entry, int node) {
  const std::uint32_t now = counter(entry, node);
  if (now == counter_most_) return false;
  const std::uint32_t next = now + 1;
  std::memcpy(&vectors_[entry * entry_bytes_ + static_cast<std::size_t>(node) * counter_bytes_], &next,
              counter_bytes_);
  return true;
}

void AffinityTable::halve(std::size_t entry) {
  for (int node = 0; node < nodes_; ++node) {
    const std::uint32_t half = counter(entry, node) / 2;
    std::memcpy(&vectors_[entry * entry_bytes_ + static_cast<std::size_t>(node) * counter_bytes_], &half,
                counter_bytes_);
  }
}

void AffinityTable::halve_all() {
  for (std::size_t entry = 0; entry < entries(); ++entry) halve(entry);
}

int AffinityTable::exclusive_node(std::size_t entry) const {
  std::uint64_t most = 0, second = 0;
  int at = -1;
  for (int node = 0; node < nodes_; ++node) {
    const std::uint64_t value = counter(entry, node);
    if (at < 0 || value > most) {
      second = at < 0 ? 0 : most;
      most = value;
      at = node;
    } else if (value > second) {
      second = value;
    }
  }
  return most > 2 * second + 1 ? at : -1;
}

std::size_t AffinityTable::sub_block_at(std::size_t entry, unsigned offset) const {
  return entry * entry_bytes_ + counter_bytes_ * static_cast<std::size_t>(nodes_) +
         ((offset & offset_mask_) >> sub_block_shift_) * sizeof(Thread) * static_cast<std::size_t>(sharers_);
}

AffinityTable::Thread AffinityTable::sharer(std::size_t entry, unsigned offset, int position) const {
  Thread thread = no_thread;
  std::memcpy(&thread,
              &vectors_[sub_block_at(entry, offset) + sizeof(Thread) * static_cast<std::size_t>(position)],
              sizeof thread);
  return thread;
}

void AffinityTable::touch(std::size_t entry, unsigned offset, Thread thread) {
  const std::size_t at = sub_block_at(entry, offset);
  // All entries in front of the thread's old position move one position towards LRU; a new thread displaces
  // the last one.
  int stood = 0;
  while (stood < sharers_ - 1 && sharer(entry, offset, stood) != thread) ++stood;
  std::memmove(&vectors_[at + sizeof(Thread)], &vectors_[at],
               sizeof(Thread) * static_cast<std::size_t>(stood));
  std::memcpy(&vectors_[at], &thread, sizeof thread);
}

void AffinityTable::forget(const std::vector<bool>& dead) {
  const std::size_t counters = counter_bytes_ * static_cast<std::size_t>(nodes_);
  const std::size_t block = sizeof(Thread) * static_cast<std::size_t>(sharers_);
  std::vector<Thread> kept;
  for (std::size_t entry = 0; entry < entries(); ++entry) {
    for (std::size_t at = counters; at < entry_bytes_; at += block) {
      std::uint8_t* const threads = &vectors_[entry * entry_bytes_ + at];
      kept.assign(static_cast<std::size_t>(sharers_), no_thread);
      std::size_t count = 0;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        Thread thread = no_thread;
        std::memcpy(&thread, threads + i * sizeof thread, sizeof thread);
        if (thread != no_thread && !(thread < dead.size() && dead[thread])) kept[count++] = thread;
      }
      std::memcpy(threads, kept.data(), block);
    }
  }
}

std::size_t AffinityTable::index_bytes() const {
  return home_.size() * (sizeof home_[0] + sizeof pages_[0]) + index_.bucket_count() * sizeof(void*) +
         index_.size() * (sizeof(std::pair<const Page, std::size_t>) + 2 * sizeof(void*));
}

}  // namespace gable::kmaf
