// Loads topologies and turns hwloc's own messages into one Error::format.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "machines/affinity.hpp"
#include "machines/topology.hpp"
#include "machines/trial.hpp"
#include "machines/xml/xml_fault.hpp"

namespace gable::machines {

namespace {

// Sets a variable of hwloc's, unless the value is empty. A user's own setting is kept. The variable is
// removed after loading, so that programs started later have the user's environment.
class HwlocVariable {
 public:
  HwlocVariable(const char* name, const std::string& value)
      : name_(name), set_(std::getenv(name) == nullptr && !value.empty()) {
    if (set_) setenv(name, value.c_str(), 0);
  }
  ~HwlocVariable() {
    if (set_) unsetenv(name_);
  }
  HwlocVariable(const HwlocVariable&) = delete;
  HwlocVariable& operator=(const HwlocVariable&) = delete;

 private:
  const char* name_;
  bool set_;
};

struct HwlocSettings {
  // hwloc prints to stderr; the exception has the relevant message.
  const HwlocVariable errors{"HWLOC_HIDE_ERRORS", "2"};
  // hwloc takes the faster of two unknown memories for HBM, by rules that differ between versions. This also
  // happens where the slower one is not DRAM. machines/tiers.hpp decides instead.
  const HwlocVariable tiers{"HWLOC_MEMTIERS_GUESS", "none"};
  // Versions before 2.11 hide the memory of GPUs that CPUs may use.
  const HwlocVariable gpus{"HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES", "1"};
};

// A taskset or a batch system that binds without a cgroup limits this process like a cgroup.
void restrict_to_binding(hwloc_topology_t topology) {
  if (!hwloc_topology_is_thissystem(topology)) return;
  // hwloc_get_cpubind does not end where sched_getaffinity is refused.
  const Bitmap bound(hwloc_bitmap_alloc());
  for (const unsigned pu : affinity_of(0)) hwloc_bitmap_set(bound.get(), pu);
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

// What HWLOC_COMPONENTS must be for hwloc to read this system: which of its sources are left out. hwloc 2.9
// never ends in its x86 source where sched_getaffinity is refused, and aborts in its Linux source where sysfs
// has a folder of memory nodes without a node. Throws Error::format.
std::string usable_components() {
  const bool refused = affinity_of(0).empty();
  std::string fault;
  for (const char* const components : {"", "-x86", "-linux", "-linux,-x86"}) {
    if (refused && std::string_view(components).find("-x86") == std::string_view::npos) continue;
    const HwlocVariable tried("HWLOC_COMPONENTS", components);
    const std::string found = system_trial_fault();
    if (found.empty()) return components;
    if (fault.empty()) fault = found;
  }
  throw Error::format("this machine's topology", fault);
}

}  // namespace

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

Topology load_this_machine() {
  const HwlocSettings settings;
  const HwlocVariable components("HWLOC_COMPONENTS", usable_components());
  Topology topology = new_topology(Keep::machine);
  if (hwloc_topology_load(topology.get()) != 0)
    throw Error::format("this machine's topology", "hwloc cannot read it");
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
