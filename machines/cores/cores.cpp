// What a core can execute in a cycle. The figures are those of the makers' optimization guides: execution and
// memory ports for vectors of the ISA's full width. One row per microarchitecture and ISA.

#include <cstdlib>

#include "machines/topology.hpp"

namespace gable::machines {

namespace {

struct CoreRow {
  const char* name;
  PerCycle rates;
};

const CoreRow core_rows[] = {
    // ISA, loads, stores, additions, multiplications, FMAs
    {"Haswell", {"avx2", 2, 1, 1, 2, 2}},
    {"Skylake", {"avx2", 2, 1, 2, 2, 2}},
    {"Skylake-SP", {"avx512", 2, 1, 2, 2, 2}},
    {"Skylake-SP", {"avx2", 2, 1, 2, 2, 2}},
    {"Knights Landing", {"avx512", 2, 1, 2, 2, 2}},
    {"Knights Landing", {"avx2", 2, 1, 2, 2, 2}},
    {"Sunny Cove", {"avx512", 2, 1, 2, 2, 2}},
    {"Sunny Cove", {"avx2", 2, 2, 2, 2, 2}},
    {"Golden Cove", {"avx512", 2, 1, 2, 2, 2}},
    {"Golden Cove", {"avx2", 3, 2, 2, 2, 2}},
    {"Gracemont", {"avx2", 1, 1, 1, 1, 1}},
    {"Zen", {"avx2", 1, 0.5, 1, 1, 1}},
    {"Zen 2", {"avx2", 2, 1, 2, 2, 2}},
    {"Zen 3", {"avx2", 2, 1, 2, 2, 2}},
    {"Zen 4", {"avx512", 1, 0.5, 1, 1, 1}},
    {"Zen 4", {"avx2", 2, 1, 2, 2, 2}},
    {"Zen 5", {"avx512", 2, 1, 2, 2, 2}},
    {"Zen 5", {"avx2", 2, 2, 2, 2, 2}},
};

// Family 6 of Intel; of servers, where the clients' cores have one FMA unit of 512 bits less.
std::string intel_core(int model) {
  switch (model) {
    case 0x3c:
    case 0x45:
    case 0x46:
    case 0x3f:  // Haswell
    case 0x3d:
    case 0x47:
    case 0x4f:
    case 0x56:  // Broadwell
      return "Haswell";
    case 0x4e:
    case 0x5e:
    case 0x8e:
    case 0x9e:
    case 0xa5:
    case 0xa6:
      return "Skylake";
    case 0x55:
      return "Skylake-SP";
    case 0x57:
    case 0x85:
      return "Knights Landing";
    case 0x6a:
    case 0x6c:
      return "Sunny Cove";
    case 0x8f:
    case 0xcf:
    case 0xad:
    case 0xae:  // Sapphire, Emerald, Granite Rapids
    case 0x97:
    case 0x9a:
    case 0xb7:
    case 0xba:
    case 0xbf:  // Alder and Raptor Lake
      return "Golden Cove";
    default:
      return {};
  }
}

std::string amd_core(int family, int model) {
  if (family == 0x17) return model < 0x30 ? "Zen" : "Zen 2";
  const bool fourth = (model >= 0x10 && model < 0x20) || (model >= 0x60 && model < 0x80) || model >= 0xa0;
  if (family == 0x19) return fourth ? "Zen 4" : "Zen 3";
  return family == 0x1a ? "Zen 5" : "";
}

std::string core_of_model(const std::string& vendor, int family, int model) {
  if (vendor == "GenuineIntel" && family == 6) return intel_core(model);
  return vendor == "AuthenticAMD" ? amd_core(family, model) : "";
}

}  // namespace

void set_cores(hwloc_topology_t topology, std::vector<Cluster>& clusters) {
  const std::vector<hwloc_obj_t> packages = objects(topology, HWLOC_OBJ_PACKAGE);
  if (packages.empty()) return;
  const auto number = [&](const char* name) { return std::atoi(info(packages.front(), name).c_str()); };
  const std::string name =
      core_of_model(info(packages.front(), "CPUVendor"), number("CPUFamilyNumber"), number("CPUModelNumber"));
  for (Cluster& cluster : clusters) {
    const bool is_efficient = core_type(topology, cpuset_of(cluster).get()) == efficient_core;
    cluster.core = is_efficient && name == "Golden Cove" ? "Gracemont" : name;
  }
}

std::vector<PerCycle> per_cycle(const std::string& core) {
  std::vector<PerCycle> found;
  for (const CoreRow& row : core_rows) {
    if (row.name == core) found.push_back(row.rates);
  }
  return found;
}

}  // namespace gable::machines
