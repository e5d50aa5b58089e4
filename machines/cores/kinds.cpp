// Kinds of cores, where a machine has several: P and E cores, big and little ones.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

// What hwloc tells of one of its kinds.
struct Told {
  Bitmap cpus;
  std::string core_type;
  double capacity = 0, most_mhz = 0, base_mhz = 0;  // 0: not known
  int efficiency = -1;                              // hwloc's rank; -1: not known
  std::vector<std::uint64_t> caches;                // bytes of the L1 and the L2
};

// The caches of the first CPU in the set. An L3 does not tell the kind: parts of a machine may have L3s of
// different sizes.
std::vector<std::uint64_t> core_caches(hwloc_topology_t topology, hwloc_const_bitmap_t cpus) {
  std::vector<std::uint64_t> bytes;
  for (const hwloc_obj_type_t level : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE}) {
    const hwloc_obj_t cache = hwloc_get_next_obj_covering_cpuset_by_type(topology, cpus, level, nullptr);
    bytes.push_back(cache != nullptr ? cache->attr->cache.size : 0);
  }
  return bytes;
}

std::vector<Told> told_kinds(hwloc_topology_t topology) {
  std::vector<Told> all;
  const int count = hwloc_cpukinds_get_nr(topology, 0);
  for (int i = 0; i < count; ++i) {
    Told told;
    told.cpus = Bitmap(hwloc_bitmap_alloc());
    unsigned infos = 0;
    struct hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(i), told.cpus.get(), &told.efficiency, &infos,
                                &info, 0) != 0)
      continue;
    for (unsigned k = 0; k < infos; ++k) {
      const std::string name = info[k].name;
      if (name == "CoreType") told.core_type = info[k].value;
      if (name == "LinuxCapacity") told.capacity = std::atof(info[k].value);
      if (name == "FrequencyMaxMHz") told.most_mhz = std::atof(info[k].value);
      if (name == "FrequencyBaseMHz") told.base_mhz = std::atof(info[k].value);
    }
    told.caches = core_caches(topology, told.cpus.get());
    all.push_back(std::move(told));
  }
  return all;
}

constexpr double near_clock = 0.85;     // favoured cores of one kind have somewhat higher clocks
constexpr double near_capacity = 0.95;  // the kernel's figure for a core's speed, at most 1024

bool is_near(double a, double b, double least) {
  return std::min(a, b) >= least * std::max(a, b);
}

bool is_same(const Told& a, const Told& b) {
  if (a.core_type != b.core_type || a.caches != b.caches) return false;
  const bool by_capacity = a.core_type.empty() && a.capacity > 0 && b.capacity > 0;
  if (by_capacity && !is_near(a.capacity, b.capacity, near_capacity)) return false;
  if (a.most_mhz > 0 && b.most_mhz > 0) return is_near(a.most_mhz, b.most_mhz, near_clock);
  if (a.base_mhz > 0 && b.base_mhz > 0) return is_near(a.base_mhz, b.base_mhz, near_clock);
  return by_capacity || a.efficiency == b.efficiency;
}

// "P", "E" or "kind 0"; "E (2.5 GHz)" where several kinds are E cores.
std::string name_of(const std::vector<Told>& kinds, std::size_t number) {
  const Told& told = kinds[number];
  const std::string kind = fmt::format("kind {}", number);
  const std::string name = told.core_type == "IntelCore"      ? "P"
                           : told.core_type == efficient_core ? "E"
                                                              : kind;
  if (name == kind || std::ranges::count(kinds, told.core_type, &Told::core_type) == 1) return name;
  const double mhz = told.most_mhz > 0 ? told.most_mhz : told.base_mhz;
  return fmt::format("{} ({})", name, mhz > 0 ? fmt::format("{:.1f} GHz", mhz / 1000) : kind);
}

}  // namespace

CoreKinds::CoreKinds(hwloc_topology_t topology) {
  std::vector<Told> different;
  for (Told& told : told_kinds(topology)) {
    const auto same =
        std::ranges::find_if(different, [&](const Told& other) { return is_same(told, other); });
    if (same == different.end()) {
      different.push_back(std::move(told));
    } else {
      hwloc_bitmap_or(same->cpus.get(), same->cpus.get(), told.cpus.get());
    }
  }
  if (different.size() < 2) return;
  for (std::size_t i = 0; i < different.size(); ++i) {
    std::string name = name_of(different, i);
    kinds_.push_back({std::move(different[i].cpus), std::move(name)});
  }
}

std::string CoreKinds::of(hwloc_const_bitmap_t core) const {
  for (const Kind& kind : kinds_) {
    if (hwloc_bitmap_intersects(kind.cpus.get(), core)) return kind.name;
  }
  return {};
}

std::string core_type(hwloc_topology_t topology, hwloc_const_bitmap_t cpus) {
  for (const Told& told : told_kinds(topology)) {
    if (hwloc_bitmap_isset(told.cpus.get(), hwloc_bitmap_first(cpus)) != 0) return told.core_type;
  }
  return {};
}

}  // namespace gable::machines
