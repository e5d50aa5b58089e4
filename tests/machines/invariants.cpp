// Invariants of every machine, checked on hwloc's tree by other code than in machines/.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <hwloc.h>

#include "base/temporary_folder.hpp"
#include "machines/machine.hpp"

namespace {

namespace fs = std::filesystem;
using namespace gable::machines;
using gable::model::Tier;

std::vector<std::string> all_topologies() {
  std::vector<std::string> found;
  for (const char* folder : {"tests/machines/topologies", "../shared/topologies"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(GABLE_SOURCE_DIR) / folder, error)) {
      if (entry.path().extension() == ".xml") found.push_back(entry.path());
    }
  }
  return found;
}

void check_clusters(const Machine& machine) {
  std::set<unsigned> pus;
  std::set<std::pair<std::vector<unsigned>, std::string>> node_sets;  // and kinds of core
  for (std::size_t i = 0; i < machine.clusters.size(); ++i) {
    const Cluster& cluster = machine.clusters[i];
    EXPECT_EQ(cluster.index, static_cast<int>(i));
    EXPECT_FALSE(cluster.cores.empty());
    for (const Core& core : cluster.cores) {
      EXPECT_FALSE(core.pus.empty());
      EXPECT_TRUE(std::is_sorted(core.pus.begin(), core.pus.end()));
      for (unsigned pu : core.pus) EXPECT_TRUE(pus.insert(pu).second) << "PU " << pu << " is in two cores";
    }
    EXPECT_TRUE(cluster.nodes.empty() || node_sets.insert({cluster.nodes, cluster.kind}).second)
        << "two clusters of one kind share all nodes";
  }
}

void check_nodes(const Machine& machine) {
  std::map<unsigned, const Node*> nodes;
  for (const Node& node : machine.nodes) {
    EXPECT_TRUE(nodes.empty() || nodes.rbegin()->first < node.os_index) << "nodes are not ascending";
    nodes[node.os_index] = &node;
    EXPECT_TRUE(node.tier.single() && row_of(*node.tier.single()).of_nodes) << name_of(node.tier);
  }
  for (const Cluster& cluster : machine.clusters) {
    bool past_dram = false;
    for (unsigned index : cluster.nodes) {
      ASSERT_TRUE(nodes.contains(index));
      EXPECT_FALSE(past_dram && nodes[index]->tier == Tier::dram) << "DRAM does not come first";
      past_dram = nodes[index]->tier != Tier::dram;
    }
    for (const auto& [index, node] : nodes) {
      const bool has = std::count(cluster.nodes.begin(), cluster.nodes.end(), index) != 0;
      const bool says = std::count(node->local_to.begin(), node->local_to.end(), cluster.index) != 0;
      EXPECT_EQ(has, says) << "cluster " << cluster.index << ", node " << index;
    }
  }
  EXPECT_TRUE(machine.distances.empty() || machine.distances.size() == machine.nodes.size());
  for (const auto& row : machine.distances) EXPECT_EQ(row.size(), machine.nodes.size());
}

void check_caches(const Machine& machine) {
  int pus = 0;
  for (const Cluster& cluster : machine.clusters) {
    for (const Core& core : cluster.cores) pus += static_cast<int>(core.pus.size());
  }
  int level = 0;
  for (const Cache& cache : machine.caches) {
    EXPECT_GT(cache.level, level);
    level = cache.level;
    EXPECT_LE(cache.bytes, cache.largest_bytes);
    EXPECT_GE(cache.pus_sharing, cache.cores_sharing);
    EXPECT_GE(cache.count * cache.pus_sharing, pus) << "not every PU has an L" << level;
  }
}

// Local nodes by definition: those with memory whose locality contains the core's CPUs. Where no node's size
// is known, all count.
void check_against_hwloc(const Machine& machine) {
  hwloc_topology_t topology;
  ASSERT_EQ(hwloc_topology_init(&topology), 0);
  const std::string& xml = machine.topology_xml;
  ASSERT_EQ(hwloc_topology_set_xmlbuffer(topology, xml.c_str(), static_cast<int>(xml.size()) + 1), 0);
  ASSERT_EQ(hwloc_topology_load(topology), 0);
  EXPECT_EQ(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE), static_cast<int>(machine.nodes.size()));
  const bool sizes_known =
      std::ranges::any_of(machine.nodes, [](const Node& node) { return node.bytes > 0; });
  int pus = 0;
  for (const Cluster& cluster : machine.clusters) {
    for (const Core& core : cluster.cores) {
      pus += static_cast<int>(core.pus.size());
      std::set<unsigned> local;
      for (hwloc_obj_t node = nullptr;
           (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node));) {
        const bool holds = hwloc_bitmap_isset(node->cpuset, core.pus.front());
        if (holds && (!sizes_known || node->attr->numanode.local_memory != 0)) local.insert(node->os_index);
      }
      EXPECT_EQ(local, std::set<unsigned>(cluster.nodes.begin(), cluster.nodes.end()));
    }
  }
  EXPECT_EQ(pus, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
  hwloc_topology_destroy(topology);
}

void check(const Machine& machine) {
  check_clusters(machine);
  check_nodes(machine);
  check_caches(machine);
  check_against_hwloc(machine);
}

TEST(Machine, InvariantsOfEveryTopology) {
  for (const std::string& path : all_topologies()) {
    SCOPED_TRACE(path);
    check(from_xml(path));
  }
}

TEST(Machine, InvariantsOfThisMachine) {
  const Machine machine = this_machine();
  check(machine);
}

TEST(Machine, CoresAreCountedOverAllClusters) {
  EXPECT_EQ(core_count(from_synthetic("numa:3 core:5 pu:2")), 15);
}

TEST(Machine, ManyCores) {
  const Machine machine = from_synthetic("pack:8 [numa(memory=1073741824)] l3:4 l2:16 core:1 pu:2");
  check(machine);
  EXPECT_EQ(machine.clusters.size(), 8u);
  EXPECT_EQ(machine.clusters[0].cores.size(), 64u);
}

TEST(Machine, ItsXmlIsTheSameMachine) {
  for (const std::string& path : all_topologies()) {
    SCOPED_TRACE(path);
    const Machine machine = from_xml(path);
    gable::TemporaryFolder folder("machines");
    std::ofstream(folder.path / "topology.xml") << machine.topology_xml;
    EXPECT_EQ(from_xml(folder.path / "topology.xml").topology_xml, machine.topology_xml);
  }
}

TEST(Machine, ForeignTopologiesAreNotThisHost) {
  EXPECT_FALSE(from_synthetic("numa:1 core:2 pu:1").is_this_host);
}

// A synthetic description in the environment must not replace a named file.
TEST(Machine, TheNamedFileIsReadWhateverTheEnvironmentSays) {
  setenv("HWLOC_SYNTHETIC", "numa:3 core:2 pu:1", 1);
  const Machine machine = from_xml(std::string(GABLE_SOURCE_DIR) + "/tests/machines/topologies/smt2.xml");
  const Machine here = this_machine();
  unsetenv("HWLOC_SYNTHETIC");
  EXPECT_EQ(machine.clusters.size(), 1u);
  EXPECT_EQ(here.clusters.size(), 3u);
  EXPECT_FALSE(here.is_this_host);
}

}  // namespace
