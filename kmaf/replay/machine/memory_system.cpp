#include "kmaf/replay/machine/memory_system.hpp"

#include <algorithm>

#include "kmaf/replay/machine/directory.hpp"

namespace gable::kmaf {

namespace {

// A link (QPI carries 8 bytes per flit) moves a line with its header, or a request or answer without data.
constexpr double data_bytes = 72, message_bytes = 8;
constexpr double line_bytes = 64;

}  // namespace

MemorySystem::MemorySystem(const SimulatedMachine& machine, const std::vector<std::int16_t>& home)
    : machine_(machine), home_(home), nodes_(static_cast<int>(machine.hierarchy.nodes.size())) {
  const auto cores = static_cast<std::size_t>(machine.cores), nodes = static_cast<std::size_t>(nodes_);
  node_of_core_.resize(cores);
  number_of_core_.resize(cores);
  cores_.resize(nodes);
  for (const Leaf& leaf : machine.hierarchy.leaves) {
    auto& own = cores_[static_cast<std::size_t>(leaf.node)];
    if (!own.empty() && own.back() == leaf.core) continue;
    node_of_core_[static_cast<std::size_t>(leaf.core)] = leaf.node;
    number_of_core_[static_cast<std::size_t>(leaf.core)] = static_cast<int>(own.size());
    own.push_back(leaf.core);
  }
  private_.assign(cores, {Cache(machine.l1), Cache(machine.l2)});
  l3_.assign(nodes, Cache(machine.l3));
  link_bytes_.resize(nodes * nodes);
  memory_lines_.read.resize(nodes * nodes);
  memory_lines_.written.resize(nodes * nodes);
  links_.assign(nodes * nodes, Calendar(machine.timing.link_gb_per_s));  // 1 GB/s is 1 byte/ns
  memories_.assign(nodes, Calendar(machine.timing.memory_gb_per_s));
}

void MemorySystem::restart() {
  for (Calendar& link : links_) link.restart();
  for (Calendar& memory : memories_) memory.restart();
}

double MemorySystem::access(int core, std::uint64_t line, bool write, double now) {
  ++counts_.accesses;
  now_ = now;
  Private& own = private_[static_cast<std::size_t>(core)];
  if (Cache::Entry* entry = own.l1.use(line)) {
    ++counts_.l1_hits;
    return private_hit(core, line, entry, write, machine_.timing.l1_ns);
  }
  if (Cache::Entry* entry = own.l2.use(line)) {
    ++counts_.l2_hits;
    Cache::Entry evicted;  // is still in L2, in the same state
    own.l1.insert(line, entry->state(), evicted);
    return private_hit(core, line, entry, write, machine_.timing.l2_ns);
  }
  const auto node = static_cast<std::size_t>(node_of_core_[static_cast<std::size_t>(core)]);
  if (Cache::Entry* entry = l3_[node].use(line)) {
    ++counts_.l3_hits;
    return l3_hit(core, entry, write);
  }
  ++counts_.l3_misses;
  waits_ = 0;
  const double ns = l3_miss(core, line, write);
  return ns + waits_;
}

// A read, or a write to a line that the core owns, is finished here. Otherwise the L3 must give the line to
// the core.
double MemorySystem::private_hit(int core, std::uint64_t line, Cache::Entry* entry, bool write, double ns) {
  const LineState state = entry->state();
  if (!write || state == LineState::modified) return ns;
  Cache::Entry* const below =
      l3_[static_cast<std::size_t>(node_of_core_[static_cast<std::size_t>(core)])].peek(line);
  if (state == LineState::exclusive) {
    below->set_state(LineState::modified);
  } else {
    ns = std::max(ns, own(core, below));
  }
  set_private(core, line, LineState::modified);
  return ns;
}

// Makes the core the only owner of the line; the answer comes from the L3 or from other nodes.
double MemorySystem::own(int core, Cache::Entry* entry) {
  const int node = node_of_core_[static_cast<std::size_t>(core)];
  double ns = machine_.timing.l3_ns;
  drop_cores(node, *entry, core);
  if (entry->state() == LineState::shared) ns = std::max(ns, invalidate_other_nodes(node, entry->line()));
  entry->set_state(LineState::modified);
  entry->word = owned_by(number_of_core_[static_cast<std::size_t>(core)]);
  return ns;
}

double MemorySystem::l3_hit(int core, Cache::Entry* entry, bool write) {
  const int number = number_of_core_[static_cast<std::size_t>(core)];
  const int node = node_of_core_[static_cast<std::size_t>(core)];
  const std::uint64_t line = entry->line();
  const bool other_owns = owner_of(*entry) >= 0 && owner_of(*entry) != number;
  const double transfer = other_owns ? machine_.timing.core_transfer_ns : 0;
  if (write) {
    const double ns = own(core, entry);
    fill_private(core, line, LineState::modified);
    return std::max(ns, transfer);
  }
  if (other_owns) share_owner(node, entry);
  const bool alone = (entry->word & cores_mask & ~bit_of(number)) == 0 && entry->state() != LineState::shared;
  if (alone) {
    entry->word = owned_by(number);
    fill_private(core, line, entry->state());
  } else {
    entry->word |= bit_of(number);
    fill_private(core, line, LineState::shared);
  }
  return std::max(machine_.timing.l3_ns, transfer);
}

double MemorySystem::l3_miss(int core, std::uint64_t line, bool write) {
  const int node = node_of_core_[static_cast<std::size_t>(core)];
  const int number = number_of_core_[static_cast<std::size_t>(core)];
  bool shared = false;
  const double ns = take_from_other_nodes(node, line, write, shared), waits = waits_;
  const LineState state = write ? LineState::modified : shared ? LineState::shared : LineState::exclusive;
  Cache::Entry evicted;
  Cache::Entry* const entry = l3_[static_cast<std::size_t>(node)].insert(line, state, evicted);
  entry->word = shared && !write ? bit_of(number) : owned_by(number);
  if (!evicted.empty()) {
    drop_cores(node, evicted, -1);
    if (evicted.state() == LineState::modified) write_back(node, evicted.line());
  }
  waits_ = waits;  // not for what is written back
  fill_private(core, line, state);
  return ns;
}

// The source of a line that the node does not have: a cache that modified it, or memory. A write takes the
// line from all others, a read leaves it shared.
double MemorySystem::take_from_other_nodes(int node, std::uint64_t line, bool write, bool& shared) {
  double ns = 0;
  for (int other = 0; other < nodes_; ++other) {
    if (other == node) continue;
    Cache& cache = l3_[static_cast<std::size_t>(other)];
    Cache::Entry* const entry = cache.peek(line);
    if (entry == nullptr) continue;
    shared = true;
    if (entry->state() == LineState::modified) {
      ++counts_.from_cache;
      add_traffic(node, other, message_bytes);
      add_traffic(other, node, data_bytes);
      if (!write) write_back(other, line);
      const double transfer = machine_.timing.node_transfer_ns;
      ns = transfer > 0 ? transfer : machine_.timing.remote_ns;
    }
    if (write) {
      if (ns == 0) {  // an answer without data
        add_traffic(node, other, message_bytes);
        add_traffic(other, node, message_bytes);
      }
      drop_cores(other, *entry, -1);
      cache.erase(entry);
    } else {
      share_owner(other, entry);
      entry->set_state(LineState::shared);
    }
  }
  if (write && shared) ++counts_.invalidations;
  if (ns > 0) return ns;
  ns = read_memory(node, line);
  return write && shared ? std::max(ns, machine_.timing.remote_ns) : ns;
}

double MemorySystem::read_memory(int node, std::uint64_t line) {
  const int home = home_of(line);
  add_memory(home, line_bytes);
  ++memory_lines_.read[between(node, home)];
  if (home == node) {
    ++counts_.from_local;
    return machine_.timing.local_ns;
  }
  ++counts_.from_remote;
  add_traffic(node, home, message_bytes);
  add_traffic(home, node, data_bytes);
  return machine_.timing.remote_ns;
}

double MemorySystem::invalidate_other_nodes(int node, std::uint64_t line) {
  bool any = false;
  for (int other = 0; other < nodes_; ++other) {
    if (other == node) continue;
    Cache& cache = l3_[static_cast<std::size_t>(other)];
    Cache::Entry* const entry = cache.peek(line);
    if (entry == nullptr) continue;
    any = true;
    add_traffic(node, other, message_bytes);
    add_traffic(other, node, message_bytes);
    drop_cores(other, *entry, -1);
    cache.erase(entry);
  }
  if (!any) return 0;
  ++counts_.invalidations;
  return machine_.timing.remote_ns;
}

// The line becomes shared within the node: its owner must ask before the next write.
void MemorySystem::share_owner(int node, Cache::Entry* entry) {
  const int owner = owner_of(*entry);
  if (owner < 0) return;
  set_private(cores_[static_cast<std::size_t>(node)][static_cast<std::size_t>(owner)], entry->line(),
              LineState::shared);
  entry->word &= cores_mask;
}

void MemorySystem::drop_cores(int node, const Cache::Entry& entry, int except) {
  const auto& cores = cores_[static_cast<std::size_t>(node)];
  for (std::uint64_t left = entry.word & cores_mask; left != 0; left &= left - 1) {
    const int core = cores[static_cast<std::size_t>(std::countr_zero(left))];
    if (core != except) drop_private(core, entry.line());
  }
}

void MemorySystem::set_private(int core, std::uint64_t line, LineState state) {
  Private& caches = private_[static_cast<std::size_t>(core)];
  if (Cache::Entry* entry = caches.l1.peek(line)) entry->set_state(state);
  if (Cache::Entry* entry = caches.l2.peek(line)) entry->set_state(state);
}

void MemorySystem::drop_private(int core, std::uint64_t line) {
  Private& caches = private_[static_cast<std::size_t>(core)];
  if (Cache::Entry* entry = caches.l1.peek(line)) caches.l1.erase(entry);
  if (Cache::Entry* entry = caches.l2.peek(line)) caches.l2.erase(entry);
}

// Neither cache of the core has the line. L2 includes L1, and the L3 already knows about modified lines, so
// evictions need no message.
void MemorySystem::fill_private(int core, std::uint64_t line, LineState state) {
  Private& caches = private_[static_cast<std::size_t>(core)];
  Cache::Entry evicted;
  caches.l2.insert(line, state, evicted);
  if (!evicted.empty()) {
    if (Cache::Entry* entry = caches.l1.peek(evicted.line())) caches.l1.erase(entry);
  }
  caches.l1.insert(line, state, evicted);
}

void MemorySystem::write_back(int node, std::uint64_t line) {
  ++counts_.write_backs;
  const int home = home_of(line);
  add_memory(home, line_bytes);
  ++memory_lines_.written[between(node, home)];
  add_traffic(node, home, data_bytes);
}

void MemorySystem::add_traffic(int from, int to, double bytes) {
  if (from == to) return;
  const std::size_t link = between(from, to);
  link_bytes_[link] += bytes;
  waits_ = std::max(waits_, links_[link].take(now_, bytes));
}

void MemorySystem::add_memory(int node, double bytes) {
  waits_ = std::max(waits_, memories_[static_cast<std::size_t>(node)].take(now_, bytes));
}

void MemorySystem::copy(int from, int to, double bytes, double now) {
  now_ = now;
  add_memory(from, bytes);
  add_memory(to, bytes);
  add_traffic(from, to, bytes);
}

}  // namespace gable::kmaf
