// This file fetches lines from other nodes and from memory, and counts the traffic.

#include <algorithm>

#include "kmaf/replay/machine/memory_system.hpp"

namespace gable::kmaf {

namespace {

// A link transfers a line with its header, or a request or answer without data. QPI carries 8 bytes per flit.
constexpr double data_bytes = 72, message_bytes = 8;
constexpr double line_bytes = 64;

}  // namespace

// Fetches a line that the node does not have from a cache that modified it, or from memory. A write removes
// the line from all other nodes; a read leaves it shared.
double MemorySystem::take_from_other_nodes(int node, std::uint64_t line, bool write, bool& shared) {
  double ns = 0;
  for (int other = 0; other < nodes_; ++other) {
    if (other == node) continue;
    Cache::Entry* const entry = directory(other).peek(line);
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
      drop_node(other, *entry, -1);
      directory(other).erase(entry);
    } else {
      entry->set_state(LineState::shared);
      share_owner(other, entry);
    }
  }
  if (write && shared) ++counts_.invalidations;
  if (ns > 0) return ns;
  ns = read_memory(node, line);
  return write && shared ? std::max(ns, machine_.timing.remote_ns) : ns;
}

double MemorySystem::read_memory(int node, std::uint64_t line) {
  const int home = home_of(line);
  const Memory& memory = machine_.memories[index(home)];
  add_memory(home, line_bytes);
  ++memory_lines_.read[lines_between(node, home)];
  if (memory.local[index(node)]) {
    ++counts_.from_local;
    return memory.figures.local_ns;
  }
  ++counts_.from_remote;
  add_traffic(node, memory.link, message_bytes);
  add_traffic(memory.link, node, data_bytes);
  return memory.figures.remote_ns;
}

double MemorySystem::invalidate_other_nodes(int node, std::uint64_t line) {
  bool any = false;
  for (int other = 0; other < nodes_; ++other) {
    if (other == node) continue;
    Cache::Entry* const entry = directory(other).peek(line);
    if (entry == nullptr) continue;
    any = true;
    add_traffic(node, other, message_bytes);
    add_traffic(other, node, message_bytes);
    drop_node(other, *entry, -1);
    directory(other).erase(entry);
  }
  if (!any) return 0;
  ++counts_.invalidations;
  return machine_.timing.remote_ns;
}

void MemorySystem::write_back(int node, std::uint64_t line) {
  ++counts_.write_backs;
  const int home = home_of(line);
  const Memory& memory = machine_.memories[index(home)];
  add_memory(home, line_bytes);
  ++memory_lines_.written[lines_between(node, home)];
  if (!memory.local[index(node)]) add_traffic(node, memory.link, data_bytes);
}

void MemorySystem::add_traffic(int from, int to, double bytes) {
  if (from == to) return;
  const std::size_t at = link(from, to);
  link_bytes_[at] += bytes;
  waits_ = std::max(waits_, links_[at].take(now_, bytes));
}

void MemorySystem::add_memory(int memory, double bytes) {
  waits_ = std::max(waits_, memories_[index(memory)].take(now_, bytes));
  if (machine_.memories[index(memory)].figures.all_memory_gb_per_s > 0)
    waits_ = std::max(waits_, tiers_[machine_.memories[index(memory)].tier].take(now_, bytes));
}

void MemorySystem::copy(int from, int to, double bytes, double now) {
  now_ = now;
  add_memory(from, bytes);
  add_memory(to, bytes);
  add_traffic(machine_.memories[index(from)].link, machine_.memories[index(to)].link, bytes);
}

}  // namespace gable::kmaf
