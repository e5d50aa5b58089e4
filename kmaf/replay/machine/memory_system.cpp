#include "kmaf/replay/machine/memory_system.hpp"

#include <algorithm>

namespace gable::kmaf {

namespace {

double unlimited_or(double gb_per_s) {
  constexpr double unlimited = 1e9;
  return gb_per_s > 0 ? gb_per_s : unlimited;
}

}  // namespace

MemorySystem::MemorySystem(const SimulatedMachine& machine, const std::vector<std::int16_t>& home)
    : machine_(machine), home_(home), nodes_(static_cast<int>(machine.hierarchy.nodes.size())) {
  const std::size_t nodes = index(nodes_);
  l2_of_core_.resize(index(machine.cores), -1);
  l2_of_node_.resize(nodes);
  std::vector<int> cores_of_node(nodes);
  for (const Leaf& leaf : machine.hierarchy.leaves) {
    int& l2 = l2_of_core_[index(leaf.core)];
    if (l2 >= 0) continue;
    std::vector<int>& own = l2_of_node_[index(leaf.node)];
    if (cores_of_node[index(leaf.node)]++ % machine.cores_of_l2 == 0) {
      number_of_l2_.push_back(static_cast<int>(own.size()));
      own.push_back(static_cast<int>(node_of_l2_.size()));
      node_of_l2_.push_back(leaf.node);
      cores_of_l2_.emplace_back();
    }
    l2 = own.back();
    cores_of_l2_[index(l2)].push_back(leaf.core);
  }
  l1_.assign(l2_of_core_.size(), Cache(machine.l1));
  l2_.assign(node_of_l2_.size(), Cache(machine.l2));
  directories_.assign(nodes, Cache(machine.l3));
  link_bytes_.resize(nodes * nodes);
  memory_lines_.read.resize(nodes * machine.memories.size());
  memory_lines_.written.resize(nodes * machine.memories.size());
  links_.assign(nodes * nodes, Calendar(machine.timing.link_gb_per_s));  // 1 GB/s is 1 byte/ns
  for (const Memory& memory : machine.memories) {
    memories_.emplace_back(memory.figures.memory_gb_per_s);
    if (memory.tier >= tiers_.size()) tiers_.resize(memory.tier + 1, Calendar(unlimited_or(0)));
    tiers_[memory.tier] = Calendar(unlimited_or(memory.figures.all_memory_gb_per_s));
  }
}

void MemorySystem::restart() {
  for (std::vector<Calendar>* calendars : {&links_, &memories_, &tiers_}) {
    for (Calendar& calendar : *calendars) calendar.restart();
  }
}

bool MemorySystem::access_l1(int core, std::uint64_t line, bool write) {
  Cache::Entry* entry = l1_[index(core)].peek(line);
  if (entry == nullptr || (write && entry->state() == LineState::shared)) return false;
  access(core, line, write);
  return true;
}

double MemorySystem::access(int core, std::uint64_t line, bool write, double now) {
  ++counts_.accesses;
  now_ = now;
  if (Cache::Entry* entry = l1_[index(core)].use(line)) {
    ++counts_.l1_hits;
    return private_hit(core, entry, write, machine_.timing.l1_ns);
  }
  if (Cache::Entry* entry = l2_of(core).use(line)) {
    ++counts_.l2_hits;
    return l2_hit(core, entry, write);
  }
  if (Cache::Entry* entry = directory(node_of(core)).use(line)) {
    ++(machine_.has_l3 ? counts_.l3_hits : counts_.from_cache);
    if (!machine_.has_l3) ++counts_.misses;
    return node_hit(core, entry, write);
  }
  ++counts_.misses;
  waits_ = 0;
  const double ns = node_miss(core, line, write);
  return ns + waits_;
}

// `entry` is in the core's L1. A read, or a write to a line that the core owns, is completed here. For other
// writes, the other cores of the L2 drop the line, or the directory makes the L2 its owner.
double MemorySystem::private_hit(int core, Cache::Entry* entry, bool write, double ns) {
  if (!write || entry->state() == LineState::modified) return ns;
  const std::uint64_t line = entry->line();
  Cache::Entry* const in_l2 = l2_of(core).peek(line);
  Cache::Entry* const below = directory(node_of(core)).peek(line);
  if (in_l2->state() == LineState::shared) {
    ns = std::max(ns, own(core, below));
  } else {
    if (entry->state() == LineState::shared) ns = std::max(ns, machine_.timing.l2_ns);
    below->set_state(LineState::modified);
  }
  drop_in_l2(core, line);
  entry->set_state(LineState::modified);
  in_l2->set_state(LineState::modified);
  return ns;
}

double MemorySystem::l2_hit(int core, Cache::Entry* entry, bool write) {
  const std::uint64_t line = entry->line();
  const LineState state = share_in_l2(core, line) ? LineState::shared : entry->state();
  Cache::Entry evicted;  // L2 still has it
  return private_hit(core, l1_[index(core)].insert(line, state, evicted), write, machine_.timing.l2_ns);
}

// Makes the core's L2 the only owner of the line. The directory or other nodes answer the request.
double MemorySystem::own(int core, Cache::Entry* entry) {
  const int node = node_of(core);
  double ns = machine_.timing.l3_ns;
  drop_node(node, *entry, l2_of_core_[index(core)]);
  if (entry->state() == LineState::shared) ns = std::max(ns, invalidate_other_nodes(node, entry->line()));
  entry->set_state(LineState::modified);
  entry->word = owned_by(number_of(core));
  return ns;
}

// Handles an access to a line that the L3 or another L2 of the node has.
double MemorySystem::node_hit(int core, Cache::Entry* entry, bool write) {
  const int number = number_of(core);
  const std::uint64_t line = entry->line();
  const bool other_owns = owner_of(*entry) >= 0 && owner_of(*entry) != number;
  const double transfer = other_owns ? machine_.timing.core_transfer_ns : 0;
  if (write) {
    const double ns = own(core, entry);
    fill(core, line, LineState::modified);
    return std::max(ns, transfer);
  }
  if (other_owns) share_owner(node_of(core), entry);
  const bool alone = (entry->word & l2_mask & ~bit_of(number)) == 0 && entry->state() != LineState::shared;
  if (alone) {
    entry->word = owned_by(number);
    fill(core, line, entry->state());
  } else {
    entry->word |= bit_of(number);
    fill(core, line, LineState::shared);
  }
  return std::max(machine_.timing.l3_ns, transfer);
}

double MemorySystem::node_miss(int core, std::uint64_t line, bool write) {
  const int node = node_of(core), number = number_of(core);
  bool shared = false;
  const double ns = take_from_other_nodes(node, line, write, shared), waits = waits_;
  const LineState state = write ? LineState::modified : shared ? LineState::shared : LineState::exclusive;
  Cache::Entry evicted;
  Cache::Entry* const entry = directory(node).insert(line, state, evicted);
  entry->word = shared && !write ? bit_of(number) : owned_by(number);
  if (!evicted.empty()) {
    drop_node(node, evicted, -1);
    if (evicted.state() == LineState::modified) write_back(node, evicted.line());
  }
  fill(core, line, state);
  waits_ = waits;  // not for what is written back
  return ns;
}

// Makes the line shared within the node, so its owner must send a request before the next write. An L3 keeps
// what the owner wrote; without an L3, it is written to memory.
void MemorySystem::share_owner(int node, Cache::Entry* entry) {
  const int owner = owner_of(*entry);
  if (owner < 0) return;
  share_l2(l2_of_node_[index(node)][index(owner)], entry->line());
  entry->word &= l2_mask;
  if (machine_.has_l3 || entry->state() != LineState::modified) return;
  write_back(node, entry->line());
  entry->set_state(LineState::exclusive);
}

void MemorySystem::drop_node(int node, const Cache::Entry& entry, int except) {
  const std::vector<int>& caches = l2_of_node_[index(node)];
  for (std::uint64_t left = entry.word & l2_mask; left != 0; left &= left - 1) {
    const int l2 = caches[index(std::countr_zero(left))];
    if (l2 != except) drop_l2(l2, entry.line());
  }
}

// Makes the line shared in the other cores of the L2, so they must ask the L2 before they write it. Returns
// whether one of them has the line.
bool MemorySystem::share_in_l2(int core, std::uint64_t line) {
  bool any = false;
  for (const int other : cores_of_l2_[index(l2_of_core_[index(core)])]) {
    if (other == core) continue;
    Cache::Entry* const entry = l1_[index(other)].peek(line);
    if (entry == nullptr) continue;
    any = true;
    entry->set_state(LineState::shared);
  }
  return any;
}

void MemorySystem::drop_in_l2(int core, std::uint64_t line) {
  for (const int other : cores_of_l2_[index(l2_of_core_[index(core)])]) {
    if (other == core) continue;
    if (Cache::Entry* entry = l1_[index(other)].peek(line)) l1_[index(other)].erase(entry);
  }
}

void MemorySystem::share_l2(int l2, std::uint64_t line) {
  if (Cache::Entry* entry = l2_[index(l2)].peek(line)) entry->set_state(LineState::shared);
  for (const int core : cores_of_l2_[index(l2)]) {
    if (Cache::Entry* entry = l1_[index(core)].peek(line)) entry->set_state(LineState::shared);
  }
}

void MemorySystem::drop_l2(int l2, std::uint64_t line) {
  if (Cache::Entry* entry = l2_[index(l2)].peek(line)) l2_[index(l2)].erase(entry);
  for (const int core : cores_of_l2_[index(l2)]) {
    if (Cache::Entry* entry = l1_[index(core)].peek(line)) l1_[index(core)].erase(entry);
  }
}

// Inserts the line into the core's L1 and L2, which do not have it. L2 includes L1, and an L3 already knows
// about modified lines, so evictions need no message to it.
void MemorySystem::fill(int core, std::uint64_t line, LineState state) {
  const int l2 = l2_of_core_[index(core)];
  Cache::Entry evicted;
  l2_[index(l2)].insert(line, state, evicted);
  if (!evicted.empty()) {
    for (const int each : cores_of_l2_[index(l2)]) {
      if (Cache::Entry* entry = l1_[index(each)].peek(evicted.line())) l1_[index(each)].erase(entry);
    }
    if (!machine_.has_l3) leave_directory(l2, evicted);
  }
  l1_[index(core)].insert(line, state, evicted);
}

// Removes the line from the directory if no other L2 of the node has it.
void MemorySystem::leave_directory(int l2, const Cache::Entry& evicted) {
  const int node = node_of_l2_[index(l2)], number = number_of_l2_[index(l2)];
  Cache::Entry* const entry = directory(node).peek(evicted.line());
  if (owner_of(*entry) == number) entry->word &= l2_mask;
  entry->word &= ~bit_of(number);
  if (evicted.state() == LineState::modified) write_back(node, evicted.line());
  if (entry->word == 0) directory(node).erase(entry);
}

}  // namespace gable::kmaf
