#pragma once

// The fields of a machine in machine.json, once for the writer and the reader. An `Io` is called with the
// name and the value of each field in the order of the file; it writes the value, or sets it where the file
// has the field. `unless` leaves a field out that has the given value; `derived` is written and not read.

#include "base/as_record.hpp"
#include "machines/machine.hpp"

namespace gable::machines {

template <typename Io>
void describe(Io& io, As<Cache> auto& cache) {
  io.required("level", cache.level);
  io.required("bytes", cache.bytes);
  io("count", cache.count);
  io("pus_sharing", cache.pus_sharing);
  io("cores_sharing", cache.cores_sharing);
  io.unless(cache.bytes, "largest_bytes", cache.largest_bytes);
  io.unless(0, "ways", cache.ways);
}

template <typename Io>
void describe(Io& io, As<Node> auto& node) {
  io.required("os_index", node.os_index);
  io("tier", node.tier);
  io.unless({}, "subtype", node.subtype);
  io("bytes", node.bytes);
  io("cpuless", node.cpuless);
  io("memory_side_cache_bytes", node.memory_side_cache_bytes);
  io("local_to", node.local_to);
}

template <typename Io>
void describe(Io& io, As<Attribute> auto& attribute) {
  io.required("cluster", attribute.cluster);
  io.required("node", attribute.node);
  io.unless({}, "gb_per_s", attribute.gb_per_s);
  io.unless({}, "ns", attribute.ns);
}

template <typename Io>
void describe(Io& io, As<Cluster> auto& cluster) {
  io.required("index", cluster.index);
  io.derived("cores", cluster.cores.size());
  io.derived("pus", hardware_threads(cluster));
  io("nodes", cluster.nodes);
  io("core_pus", cluster.cores);
  io("caches", cluster.caches);
  io.unless({}, "kind", cluster.kind);
  io.unless({}, "core", cluster.core);
}

/// All but the name and the processor, which a host may know better than the topology.
template <typename Io>
void describe(Io& io, As<Machine> auto& machine) {
  io("clusters", machine.clusters);
  io("nodes", machine.nodes);
  io("caches", machine.caches);
  io("distances", machine.distances);
  io("attributes", machine.attributes);
}

}  // namespace gable::machines
