#pragma once

// Two clusters of joe0 as literal roofs (LARM paper, tables 1 and 2): cluster 0 has the table's figures,
// cluster 1 their mirror image (the paper reports symmetry between clusters).

#include "model/roofs/roofs.hpp"

namespace gable::model::joe0 {

inline Roof bandwidth(int cluster, const char* level, const char* pattern, int node, double value) {
  Roof roof;
  roof.spec.kind = Kind::bandwidth;
  roof.spec.cluster = cluster;
  roof.spec.level = Level(level);
  roof.spec.pattern = *named<Pattern>(pattern);
  roof.spec.node = node;
  roof.spec.tier = Tier::dram;
  roof.spec.op = operations::load;
  roof.spec.kernel = "load_avx2";
  roof.spec.threads = 7;
  roof.value = roof.lo = roof.hi = value;
  roof.unit = "GB/s";
  return roof;
}

inline Roof peak(int cluster, const char* op, double value) {
  Roof roof = bandwidth(cluster, "core", "core", -1, value);
  roof.spec.kind = Kind::flops;
  roof.spec.op = Operation(op);
  roof.spec.precision = Precision::dp;
  roof.spec.tier = {};
  roof.unit = "GFlop/s";
  return roof;
}

inline Roofs roofs() {
  constexpr double ghz = 1.7, lanes = 4, cores = 7;
  Roofs all;
  for (const int cluster : {0, 1}) {
    auto& list = all.roofs;
    list.push_back(bandwidth(cluster, "L1", "cache", -1, 760.1));
    list.push_back(bandwidth(cluster, "L2", "cache", -1, 309.2));
    list.push_back(bandwidth(cluster, "L3", "cache", -1, 154.0));
    const int near = cluster, far = 1 - cluster;
    list.push_back(bandwidth(cluster, "memory", "local", near, 36.1));
    list.push_back(bandwidth(cluster, "memory", "remote", far, 17.5));
    list.push_back(bandwidth(cluster, "memory", "remote", 2, 15.0));
    list.push_back(bandwidth(cluster, "memory", "remote", 3, 14.3));
    list.push_back(bandwidth(cluster, "memory", "contended", near, 16.7));
    list.push_back(bandwidth(cluster, "memory", "contended", far, 8.3));
    list.push_back(bandwidth(cluster, "memory", "contended", 2, 6.8));
    list.push_back(bandwidth(cluster, "memory", "contended", 3, 6.2));
    list.push_back(bandwidth(cluster, "memory", "congested", -1, 18.1));
    list.push_back(peak(cluster, "add", 0.99 * lanes * cores * ghz));
    list.push_back(peak(cluster, "mul", 1.99 * lanes * cores * ghz));
    list.push_back(peak(cluster, "fma", 1.99 * 2 * lanes * cores * ghz));
  }
  return all;
}

}  // namespace gable::model::joe0
