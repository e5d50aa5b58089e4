// Measured figures as hwloc's memory attributes, read back by this program and by hwloc itself.

#include "machines/attributes.hpp"
#include "base/error.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "machines/machine.hpp"
#include "machines/tiers.hpp"

namespace {

using namespace gable::machines;
using gable::model::Tier;

std::string topology(const std::string& name) {
  return std::string(GABLE_SOURCE_DIR) + "/tests/machines/topologies/" + name + ".xml";
}

// A different figure for every (cluster, node), including remote ones.
std::vector<Attribute> made_up(const Machine& machine) {
  std::vector<Attribute> all;
  for (const Cluster& cluster : machine.clusters) {
    for (const Node& node : machine.nodes) {
      const double step = 10.0 * cluster.index + node.os_index;
      all.push_back({cluster.index, node.os_index, 20 + step, 100 + step});
    }
  }
  return all;
}

class Written {
 public:
  Written(const std::string& name, const std::vector<Attribute>& measured) {
    std::ofstream(path()) << with_measured_attributes(topology(name), measured);
  }
  std::string path() const { return folder_.path / "measured.xml"; }

 private:
  gable::TemporaryFolder folder_{"machines"};
};

// A topology as another program loads it.
class Loaded {
 public:
  explicit Loaded(const std::string& path) {
    EXPECT_EQ(hwloc_topology_init(&topology_), 0);
    EXPECT_EQ(hwloc_topology_set_xml(topology_, path.c_str()), 0);
    EXPECT_EQ(hwloc_topology_load(topology_), 0);
  }
  ~Loaded() { hwloc_topology_destroy(topology_); }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  // The node with the best value for the CPUs of this object.
  unsigned best_node(hwloc_memattr_id_t attribute, hwloc_obj_type_t type, unsigned index) const {
    hwloc_location cpus = of(type, index);
    hwloc_obj_t node = nullptr;
    hwloc_uint64_t value = 0;
    EXPECT_EQ(hwloc_memattr_get_best_target(topology_, attribute, &cpus, 0, &node, &value), 0);
    return node ? node->os_index : ~0u;
  }

  hwloc_uint64_t value(hwloc_memattr_id_t attribute, hwloc_obj_type_t type, unsigned index,
                       unsigned node) const {
    hwloc_location cpus = of(type, index);
    hwloc_uint64_t value = 0;
    hwloc_obj_t target = hwloc_get_numanode_obj_by_os_index(topology_, node);
    EXPECT_EQ(hwloc_memattr_get_value(topology_, attribute, target, &cpus, 0, &value), 0);
    return value;
  }

 private:
  hwloc_location of(hwloc_obj_type_t type, unsigned index) const {
    hwloc_location cpus;
    cpus.type = HWLOC_LOCATION_TYPE_CPUSET;
    cpus.location.cpuset = hwloc_get_obj_by_type(topology_, type, index)->cpuset;
    return cpus;
  }
  hwloc_topology_t topology_ = nullptr;
};

TEST(Attributes, ComeBackForEveryPair) {
  for (const char* name : {"four-tiers", "cpuless", "snc2-2s", "8-nodes", "smt2"}) {
    SCOPED_TRACE(name);
    const Machine machine = from_xml(topology(name));
    const auto measured = made_up(machine);
    const Machine back = from_xml(Written(name, measured).path());
    ASSERT_EQ(back.attributes.size(), measured.size());
    for (const Attribute& attribute : measured) {
      for (const Attribute& other : back.attributes) {
        if (other.cluster != attribute.cluster || other.node != attribute.node) continue;
        EXPECT_NEAR(*other.gb_per_s, *attribute.gb_per_s, 1.1e-3) << "hwloc counts whole MiB/s";
        EXPECT_NEAR(*other.ns, *attribute.ns, 0.5);
      }
    }
  }
}

TEST(Attributes, ReplaceWhatTheFirmwareSaid) {
  ASSERT_EQ(from_xml(topology("cpuless")).attributes.size(), 6u);
  const Machine back = from_xml(Written("cpuless", {{1, 7, 12.0, std::nullopt}}).path());
  ASSERT_EQ(back.attributes.size(), 1u);
  EXPECT_EQ(back.attributes[0].cluster, 1);
  EXPECT_EQ(back.attributes[0].node, 7u);
  EXPECT_FALSE(back.attributes[0].ns);
}

TEST(Attributes, OfAnotherMachineAreRefused) {
  EXPECT_THROW(with_measured_attributes(topology("smt2"), {{1, 0, 1.0, 1.0}}), gable::Error);
  EXPECT_THROW(with_measured_attributes(topology("smt2"), {{0, 3, 1.0, 1.0}}), gable::Error);
}

// Cluster 0 has the highest bandwidth to node 1 (HBM), cluster 1 to node 6 (CXL). Node 1,
// remote to cluster 1, has its lowest latency.
const std::vector<Attribute> tiered = {{0, 0, 100.0, 90.0}, {0, 1, 400.0, 120.0}, {0, 4, 50.0, 300.0},
                                       {1, 3, 100.0, 90.0}, {1, 4, 50.0, 80.0},   {1, 6, 200.0, 250.0},
                                       {1, 1, 150.0, 60.0}};

TEST(Attributes, GuideProgramsThatUseHwloc) {
  const Written file("four-tiers", tiered);
  const Loaded loaded(file.path());
  EXPECT_EQ(loaded.best_node(HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_OBJ_PACKAGE, 0), 1u);
  EXPECT_EQ(loaded.best_node(HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_OBJ_PACKAGE, 1), 6u);
  EXPECT_EQ(loaded.best_node(HWLOC_MEMATTR_ID_LATENCY, HWLOC_OBJ_PACKAGE, 0), 0u);
  EXPECT_EQ(loaded.best_node(HWLOC_MEMATTR_ID_LATENCY, HWLOC_OBJ_PACKAGE, 1), 1u);
  EXPECT_EQ(loaded.best_node(HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_OBJ_CORE, 1), 1u) << "a core of the cluster";
}

TEST(Attributes, HaveHwlocsUnits) {
  const Written file("snc2-2s", {{0, 3, 1.048576, 140.0}});
  const Loaded loaded(file.path());
  EXPECT_EQ(loaded.value(HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_OBJ_L3CACHE, 0, 3), 1000u) << "MiB/s";
  EXPECT_EQ(loaded.value(HWLOC_MEMATTR_ID_LATENCY, HWLOC_OBJ_L3CACHE, 0, 3), 140u) << "ns";
}

TEST(Tiers, ByNameOrOrigin) {
  EXPECT_EQ(tier_by_label({"MCDRAM", "", false}), Tier::hbm);
  EXPECT_EQ(tier_by_label({"HBM3", "", false}), Tier::hbm);
  EXPECT_EQ(tier_by_label({"", "NVM", false}), Tier::nvm);
  EXPECT_EQ(tier_by_label({"", "", true}), Tier::cxl);
  EXPECT_EQ(tier_by_label({"GPUMemory", "", false}), Tier::gpu);
  EXPECT_EQ(tier_by_label({"", "", false}), gable::model::Tiers());
  EXPECT_EQ(tier_by_label({"SPM", "SPM", false}), gable::model::Tiers())
      << "specific-purpose memory may be HBM or CXL";
}

// hwloc 2.9 knows no subtypes of memory behind CXL, hwloc 2.12 does.
TEST(Tiers, AreTheSameWithoutSubtype) {
  const struct {
    std::string dax_type;
    bool cxl_device;
    std::string subtype;
    gable::model::Tiers tier;
  } kinds[] = {{"NVM", false, "NVM", Tier::nvm},
               {"NVM", true, "CXL-NVM", Tier::nvm},
               {"SPM", true, "CXL-DRAM", Tier::cxl},
               {"SPM", false, "SPM", {}}};
  for (const auto& [dax_type, cxl_device, subtype, tier] : kinds) {
    const Label early = label("", dax_type, cxl_device), late = label(subtype, dax_type, cxl_device);
    EXPECT_EQ(early.subtype, subtype);
    EXPECT_EQ(tier_by_label(early), tier) << subtype;
    EXPECT_EQ(tier_by_label(late), tier) << subtype;
  }
  EXPECT_EQ(label("MCDRAM", "SPM", false).subtype, "MCDRAM") << "hwloc's own name stays";
}

TEST(Tiers, BySpeed) {
  const Label none, set_apart{"SPM", "", false};
  EXPECT_EQ(tier_by_speed({3.0, 1.3}, none), Tier::hbm);
  EXPECT_EQ(tier_by_speed({0.4, std::nullopt}, none), Tier::cxl);
  EXPECT_EQ(tier_by_speed({std::nullopt, 2.0}, none), Tier::cxl);
  EXPECT_EQ(tier_by_speed({1.0, 1.1}, none), Tier::dram);
  EXPECT_EQ(tier_by_speed({}, none), Tier::dram);
  EXPECT_EQ(tier_by_speed({}, set_apart), Tier::hbm);
  EXPECT_EQ(tier_by_speed({0.4, 2.5}, set_apart), Tier::cxl);
}

}  // namespace
