// Measured figures as hwloc's memory attributes, read back by this program and by hwloc's tools.

#include "machines/attributes.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
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

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  for (int c; pipe && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (pipe) pclose(pipe);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

bool is_installed(const char* tool) {
  return std::system((std::string("command -v ") + tool + " > /dev/null").c_str()) == 0;
}

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
  EXPECT_THROW(with_measured_attributes(topology("smt2"), {{1, 0, 1.0, 1.0}}), TopologyError);
  EXPECT_THROW(with_measured_attributes(topology("smt2"), {{0, 3, 1.0, 1.0}}), TopologyError);
}

// Cluster 0 has the highest bandwidth to node 1 (HBM), cluster 1 to node 6 (CXL). Node 1,
// remote to cluster 1, has its lowest latency.
const std::vector<Attribute> tiered = {{0, 0, 100.0, 90.0}, {0, 1, 400.0, 120.0}, {0, 4, 50.0, 300.0},
                                       {1, 3, 100.0, 90.0}, {1, 4, 50.0, 80.0},   {1, 6, 200.0, 250.0},
                                       {1, 1, 150.0, 60.0}};

TEST(Attributes, GuideHwlocCalc) {
  if (!is_installed("hwloc-calc")) GTEST_SKIP() << "hwloc-calc is not installed (package hwloc)";
  const Written file("four-tiers", tiered);
  const auto best = [&](const char* attribute, int cluster) {
    return output_of("hwloc-calc --input " + file.path() + " --local-memory --best-memattr " + attribute +
                     " pack:" + std::to_string(cluster));
  };
  EXPECT_EQ(best("bandwidth", 0), "1");
  EXPECT_EQ(best("bandwidth", 1), "6");
  EXPECT_EQ(best("latency", 0), "0");
  EXPECT_EQ(best("latency", 1), "4");
}

TEST(Attributes, GuideHwlocBind) {
  if (!is_installed("hwloc-bind")) GTEST_SKIP() << "hwloc-bind is not installed (package hwloc)";
  const Written file("four-tiers", tiered);
  // hwloc-bind requires this option first, and the initiator as a CPU binding.
  const auto binding = [&](const char* attribute, const char* cpus, const char* memory) {
    return output_of("HWLOC_XMLFILE=" + file.path() + " hwloc-bind --best-memattr " + attribute +
                     " -v -f --cpubind " + cpus + " --membind " + memory + " -- true");
  };
  const auto chooses = [](const std::string& output, const std::string& nodeset) {
    return output.find("binding on memory set " + nodeset) != std::string::npos;
  };
  const std::string local = binding("bandwidth", "pack:1", "pack:1");
  EXPECT_TRUE(chooses(local, "0x00000040")) << local;
  const std::string of_a_core = binding("bandwidth", "core:1", "pack:0");
  EXPECT_TRUE(chooses(of_a_core, "0x00000002")) << of_a_core;
  const std::string remote = binding("latency", "pack:1", "node:all");
  EXPECT_TRUE(chooses(remote, "0x00000002")) << remote;
}

TEST(Attributes, AreShownByLstopo) {
  if (!is_installed("lstopo-no-graphics"))
    GTEST_SKIP() << "lstopo-no-graphics is not installed (package hwloc)";
  const Written file("snc2-2s", {{0, 3, 1.048576, 140.0}});
  const std::string shown = output_of("lstopo-no-graphics --input " + file.path() + " --memattrs");
  EXPECT_NE(shown.find("NUMANode L#3 = 1000 from cpuset 0x0000000f"), std::string::npos) << shown;
  EXPECT_NE(shown.find("NUMANode L#3 = 140 from cpuset 0x0000000f"), std::string::npos) << shown;
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
