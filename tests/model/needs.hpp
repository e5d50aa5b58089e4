#pragma once

// Programs with bytes by level, and roofs that they are compared with.

#include <string>
#include <utility>
#include <vector>

#include "model/points/needs/needs.hpp"
#include "tests/model/ddot.hpp"
#include "tests/model/joe0.hpp"

namespace gable::model {

inline LevelBytes bytes(const char* level, double read, double written = 0, double irregular = 0,
                        double chained = 0) {
  return {Level(level), read, written, irregular, chained};
}

// Seven threads of cluster 0, with data on the own node.
inline Point program(double flops, double loads, double stores, double seconds,
                     std::vector<LevelBytes> levels) {
  Point point = on_node(1, 0, true);
  point.flops = flops;
  point.load_bytes = loads;
  point.store_bytes = stores;
  point.seconds = point.seconds_lo = point.seconds_hi = seconds;
  point.levels = std::move(levels);
  return point;
}

inline Roofs with_chases() {
  Roofs roofs = joe0::roofs();
  const auto add = [&](const char* level, const char* pattern, int node, double ns) {
    Roof roof = joe0::bandwidth(0, level, pattern, node, ns);
    roof.spec.kind = Kind::latency;
    roof.spec.op = operations::chase;
    roof.unit = "ns";
    roofs.roofs.push_back(roof);
  };
  add("L2", "cache", -1, 4);
  add("L3", "cache", -1, 20);
  add("memory", "local", 0, 100);
  add("memory", "remote", 1, 150);
  return roofs;
}

inline double share_of(const std::vector<Need>& needs, const std::string& name) {
  for (const Need& need : needs) {
    if (need.limit.name().starts_with(name)) return need.share;
  }
  return -1;
}

inline Need need_of(const std::vector<Need>& needs, Limit::Kind kind) {
  for (const Need& need : needs) {
    if (need.limit.kind == kind) return need;
  }
  return {};
}

/// Million random lines per second of cluster 0 from its own node, of pages of 2 MiB and of 4 KiB.
/// What the kernels of windows measure of one thread in the memory, per nanosecond.
inline void add_window(Roofs& roofs, const Operation& op, double per_ns, double error) {
  Roof roof = joe0::bandwidth(0, "memory", "local", 0, per_ns);
  roof.spec.kind = Kind::window;
  roof.spec.op = op;
  roof.lo = roof.value * (1 - error);
  roof.hi = roof.value * (1 + error);
  roof.n = 100;
  roofs.roofs.push_back(roof);
}

inline void add_random_loads(Roofs& roofs, double huge, double small) {
  for (const auto& [pages, rate] : {std::pair(Pages(2 << 20), huge), {Pages(4096), small}}) {
    Roof roof = joe0::bandwidth(0, "memory", "local", 0, rate);
    roof.spec.kind = Kind::random;
    roof.spec.op = operations::random;
    roof.spec.pages = pages;
    roof.unit = "M/s";
    roofs.roofs.push_back(roof);
  }
}

}  // namespace gable::model
