#pragma once

// Points with a known bottleneck.

#include <string>

#include "model/points/binding.hpp"
#include "model/records/point.hpp"

namespace gable::model {

// One second of ddot (2 flops for 16 loaded bytes) at the given bandwidth.
inline Point ddot(double gb_per_s) {
  Point point;
  point.name = "ddot";
  point.precision = Precision::dp;
  point.load_bytes = gb_per_s * 1e9;
  point.flops = point.load_bytes / 8;
  point.seconds = point.seconds_lo = point.seconds_hi = 1;
  point.counter = "valgrind";
  point.threads = 7;
  return point;
}

inline Point on_node(double gb_per_s, int node, bool alone) {
  Point point = ddot(gb_per_s);
  point.alone = alone;
  point.node_bytes = {{node, 1 << 30}};
  return point;
}

inline bool says(const Reading& reading, const std::string& words) {
  return reading.verdict.text().find(words) != std::string::npos;
}

}  // namespace gable::model
