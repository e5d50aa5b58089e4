// Loads topologies and turns hwloc's own messages into one Error::format.

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "machines/topology.hpp"
#include "machines/xml/trial.hpp"
#include "machines/xml/xml_fault.hpp"

namespace gable::machines {

namespace {

// Variables for hwloc while it loads a topology. A user's own settings are kept. The variables are removed
// after loading, so that programs started later have the user's environment.
class HwlocSettings {
 public:
  HwlocSettings() {
    for (const auto& [name, value] : settings) {
      if (std::getenv(name) != nullptr) continue;
      setenv(name, value, 0);
      set_.push_back(name);
    }
  }
  ~HwlocSettings() {
    for (const char* name : set_) unsetenv(name);
  }
  HwlocSettings(const HwlocSettings&) = delete;
  HwlocSettings& operator=(const HwlocSettings&) = delete;

 private:
  static constexpr std::pair<const char*, const char*> settings[] = {
      // hwloc prints to stderr; the exception has the relevant message.
      {"HWLOC_HIDE_ERRORS", "2"},
      // hwloc takes the faster of two unknown memories for HBM, by rules that differ between versions. This
      // also
      // happens where the slower one is not DRAM. machines/tiers.hpp decides instead.
      {"HWLOC_MEMTIERS_GUESS", "none"},
      // Versions before 2.11 hide the memory of GPUs that CPUs may use.
      {"HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES", "1"},
  };
  std::vector<const char*> set_;
};

Topology new_topology(Keep keep) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw Error::failed("hwloc cannot start: out of memory");
  Topology topology(raw);
  if (keep == Keep::everything) {
    hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  } else {
    hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
  }
  return topology;
}

// A taskset or a batch system that binds without a cgroup limits this process like a cgroup.
void restrict_to_binding(hwloc_topology_t topology) {
  if (!hwloc_topology_is_thissystem(topology)) return;
  Bitmap bound(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) != 0) return;
  hwloc_bitmap_and(bound.get(), bound.get(), hwloc_topology_get_topology_cpuset(topology));
  if (!hwloc_bitmap_iszero(bound.get())) hwloc_topology_restrict(topology, bound.get(), 0);
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw Error::format(path, "is a directory; give the topology.xml in it");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error::format(path, "cannot be opened; give a file that `lstopo FILE.xml` wrote");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw Error::format(path, "cannot be read");
  return text;
}

// hwloc also loads files without a PU or a node, which cannot be measured.
void check_complete(hwloc_topology_t topology, const std::string& name) {
  if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU) < 1) throw Error::format(name, "describes no CPU");
  if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) < 1) {
    throw Error::format(name, "describes no memory node");
  }
}

}  // namespace

Topology load_this_machine() {
  const HwlocSettings settings;
  Topology topology = new_topology(Keep::machine);
  if (hwloc_topology_load(topology.get()) != 0) {
    throw Error::format("",
                        "hwloc cannot read this machine's topology; see what `lstopo` says, and the HWLOC_* "
                        "environment variables");
  }
  restrict_to_binding(topology.get());
  check_complete(topology.get(), "this machine's topology");
  return topology;
}

Topology load_xml_text(const std::string& text, const std::string& name, Keep keep) {
  if (const auto fault = find_xml_fault(text)) {
    throw Error::format(name, fault->line, fault->what);
  }
  const HwlocSettings settings;
  if (const std::string fault = trial_fault(text); !fault.empty()) throw Error::format(name, fault);
  Topology topology = new_topology(keep);
  const int size = static_cast<int>(text.size()) + 1;
  if (hwloc_topology_set_xmlbuffer(topology.get(), text.c_str(), size) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw Error::format(name, "hwloc cannot read it");
  }
  check_complete(topology.get(), name);
  return topology;
}

Topology load_xml(const std::string& path, Keep keep) {
  return load_xml_text(read_file(path), path, keep);
}

Topology load_synthetic(const std::string& description) {
  const HwlocSettings settings;
  const std::string name = "synthetic topology \"" + description + "\"";
  Topology topology = new_topology(Keep::machine);
  if (hwloc_topology_set_synthetic(topology.get(), description.c_str()) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw Error::format(name, "hwloc cannot read it; write it as in \"numa:2 core:4 pu:1\"");
  }
  check_complete(topology.get(), name);
  return topology;
}

std::string export_xml(hwloc_topology_t topology) {
  char* buffer = nullptr;
  int size = 0;
  if (hwloc_topology_export_xmlbuffer(topology, &buffer, &size, 0) != 0) {
    throw Error::failed("hwloc cannot export the topology");
  }
  std::string xml(buffer, static_cast<std::size_t>(size > 0 ? size - 1 : 0));
  hwloc_free_xmlbuffer(topology, buffer);
  return xml;
}

std::vector<hwloc_obj_t> objects(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object));) {
    found.push_back(object);
  }
  return found;
}

std::string info(hwloc_obj_t object, const char* name) {
  const char* value = hwloc_obj_get_info_by_name(object, name);
  return value ? value : "";
}

}  // namespace gable::machines
