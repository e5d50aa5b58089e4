// Kinds of cores, where a machine has several: P and E cores, big and little ones.

#include <algorithm>
#include <cstdlib>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

// What hwloc tells of one of its kinds.
struct Told {
  Bitmap cpus;
  std::string core_type, capacity;
  double most_mhz = 0;
};

std::vector<Told> told_kinds(hwloc_topology_t topology) {
  std::vector<Told> all;
  const int count = hwloc_cpukinds_get_nr(topology, 0);
  for (int i = 0; i < count; ++i) {
    Told told{Bitmap(hwloc_bitmap_alloc()), {}, {}, 0};
    int efficiency = 0;
    unsigned infos = 0;
    struct hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(i), told.cpus.get(), &efficiency, &infos,
                                &info, 0) != 0)
      continue;
    for (unsigned k = 0; k < infos; ++k) {
      const std::string name = info[k].name;
      if (name == "CoreType") told.core_type = info[k].value;
      if (name == "LinuxCapacity") told.capacity = info[k].value;
      if (name == "FrequencyMaxMHz") told.most_mhz = std::atof(info[k].value);
    }
    all.push_back(std::move(told));
  }
  return all;
}

bool is_same(const Told& a, const Told& b) {
  constexpr double nearly = 0.85;
  if (!a.core_type.empty() || !b.core_type.empty()) return a.core_type == b.core_type;
  if (a.capacity != b.capacity) return false;
  return std::min(a.most_mhz, b.most_mhz) >= nearly * std::max(a.most_mhz, b.most_mhz);
}

std::string name_of(const Told& told, std::size_t number) {
  if (told.core_type == "IntelCore") return "P";
  if (told.core_type == "IntelAtom") return "E";
  return "kind " + std::to_string(number);
}

}  // namespace

CoreKinds::CoreKinds(hwloc_topology_t topology) {
  std::vector<Told> different;
  for (Told& told : told_kinds(topology)) {
    const auto same = std::find_if(different.begin(), different.end(),
                                   [&](const Told& other) { return is_same(told, other); });
    if (same == different.end()) {
      different.push_back(std::move(told));
    } else {
      hwloc_bitmap_or(same->cpus.get(), same->cpus.get(), told.cpus.get());
    }
  }
  if (different.size() < 2) return;
  for (std::size_t i = 0; i < different.size(); ++i) {
    std::string name = name_of(different[i], i);
    kinds_.push_back({std::move(different[i].cpus), std::move(name)});
  }
}

std::string CoreKinds::of(hwloc_const_bitmap_t core) const {
  for (const Kind& kind : kinds_) {
    if (hwloc_bitmap_intersects(kind.cpus.get(), core)) return kind.name;
  }
  return {};
}

}  // namespace gable::machines
