// Machines with several kinds of cores: clusters of one kind each.

#include <gtest/gtest.h>

#include <fstream>

#include "machines/machine.hpp"
#include "tests/machines/temporary.hpp"

namespace {

using namespace gable::machines;

std::string kind(const char* cpus, const std::string& infos) {
  return std::string("<cpukind cpuset=\"") + cpus + "\">" + infos + "</cpukind>\n";
}

std::string told(const char* name, const char* value) {
  return std::string("<info name=\"") + name + "\" value=\"" + value + "\"/>";
}

// Six cores with one hardware thread each on one node; `kinds` as hwloc exports them.
Machine machine_with(const std::string& kinds) {
  std::string xml = from_synthetic(
                        "pack:1 [numa(memory=8589934592)] l2:6(size=1048576) l1d:1(size=32768) "
                        "core:1 pu:1")
                        .topology_xml;
  xml.insert(xml.rfind("</topology>"), kinds);
  const gable::tests::TemporaryFolder folder;
  const std::string path = folder.path() / "kinds.xml";
  std::ofstream(path) << xml;
  return from_xml(path);
}

TEST(CoreKinds, MakeClustersOfTheirOwnOnTheSameNode) {
  const Machine machine = machine_with(kind("0x00000003", told("CoreType", "IntelCore")) +
                                       kind("0x0000003c", told("CoreType", "IntelAtom")));
  ASSERT_EQ(machine.clusters.size(), 2u);
  EXPECT_EQ(machine.clusters[0].kind, "P");
  EXPECT_EQ(machine.clusters[0].cores.size(), 2u);
  EXPECT_EQ(machine.clusters[1].kind, "E");
  EXPECT_EQ(machine.clusters[1].cores.size(), 4u);
  EXPECT_EQ(machine.clusters[0].nodes, machine.clusters[1].nodes);
  EXPECT_EQ(machine.nodes[0].local_to, (std::vector<int>{0, 1}));
}

TEST(CoreKinds, BigAndLittleByTheirCapacity) {
  const Machine machine = machine_with(kind("0x0000000f", told("LinuxCapacity", "446")) +
                                       kind("0x00000030", told("LinuxCapacity", "1024")));
  ASSERT_EQ(machine.clusters.size(), 2u);
  EXPECT_NE(machine.clusters[0].kind, machine.clusters[1].kind);
}

// Favoured cores of one kind have somewhat higher clocks.
TEST(CoreKinds, ClocksAloneMakeAKindOnlyFarApart) {
  const auto clusters = [](const char* slow, const char* fast) {
    return machine_with(kind("0x00000003", told("FrequencyMaxMHz", fast)) +
                        kind("0x0000003c", told("FrequencyMaxMHz", slow)))
        .clusters.size();
  };
  EXPECT_EQ(clusters("4800", "5100"), 1u);
  EXPECT_EQ(clusters("3300", "5100"), 2u);
  EXPECT_EQ(machine_with(kind("0x00000003", told("CoreType", "IntelCore") + told("FrequencyMaxMHz", "5200")) +
                         kind("0x0000000c", told("CoreType", "IntelCore") + told("FrequencyMaxMHz", "3000")) +
                         kind("0x00000030", told("CoreType", "IntelAtom")))
                .clusters.size(),
            2u);
  EXPECT_EQ(machine_with("").clusters.size(), 1u);
  EXPECT_EQ(machine_with("").clusters[0].kind, "");
}

TEST(PerCycle, IsKnownForTheCoresOfThePaper) {
  const auto rates = [](const char* core) { return per_cycle(core).front(); };
  const PerCycle joe0 = rates("Haswell"), knl = rates("Knights Landing");  // tables 1 and 3
  EXPECT_EQ((std::vector<double>{joe0.load, joe0.store, joe0.add, joe0.mul, joe0.fma}),
            (std::vector<double>{2, 1, 1, 2, 2}));
  EXPECT_EQ((std::vector<double>{knl.load, knl.store, knl.add, knl.mul, knl.fma}),
            (std::vector<double>{2, 1, 2, 2, 2}));
  EXPECT_EQ(knl.isa, "avx512");
  EXPECT_TRUE(per_cycle("").empty());
}

}  // namespace
