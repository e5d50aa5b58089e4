// Machines with several kinds of cores: clusters of one kind each.

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/temporary_folder.hpp"
#include "machines/machine.hpp"

namespace {

using namespace gable::machines;

std::string kind(const char* cpus, const std::string& infos) {
  return std::string("<cpukind cpuset=\"") + cpus + "\">" + infos + "</cpukind>\n";
}

std::string told(const char* name, const char* value) {
  return std::string("<info name=\"") + name + "\" value=\"" + value + "\"/>";
}

Machine from_text(const std::string& xml) {
  const gable::TemporaryFolder folder("machines");
  const std::string path = folder.path / "kinds.xml";
  std::ofstream(path) << xml;
  return from_xml(path);
}

// Six cores with one hardware thread each on one node; `kinds` as hwloc exports them.
Machine machine_with(const std::string& kinds) {
  std::string xml = from_synthetic(
                        "pack:1 [numa(memory=8589934592)] l2:6(size=1048576) l1d:1(size=32768) "
                        "core:1 pu:1")
                        .topology_xml;
  xml.insert(xml.rfind("</topology>"), kinds);
  return from_text(xml);
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

// Firmware rates each core by its own figures: those of one kind differ by a few per cent.
TEST(CoreKinds, CapacitiesThatAreNearlyEqualMakeOneKind) {
  const auto cores = [](const char* third, const std::string& also) {
    std::vector<std::size_t> sizes;
    for (const Cluster& cluster : machine_with(kind("0x00000003", told("LinuxCapacity", "1024") + also) +
                                               kind("0x0000000c", told("LinuxCapacity", "997") + also) +
                                               kind("0x00000030", told("LinuxCapacity", third) + also))
                                      .clusters)
      sizes.push_back(cluster.cores.size());
    return sizes;
  };
  EXPECT_EQ(cores("1017", ""), (std::vector<std::size_t>{6}));
  EXPECT_EQ(cores("1017", told("FrequencyMaxMHz", "3900")), (std::vector<std::size_t>{6}));
  EXPECT_EQ(cores("718", ""), (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(cores("718", told("FrequencyMaxMHz", "3900")), (std::vector<std::size_t>{4, 2}));
}

TEST(CoreKinds, CachesMakeKindsOfCoresWithTheSameClock) {
  std::string xml =
      from_synthetic("pack:2 [numa(memory=8589934592)] l2:1(size=1048576) core:3 pu:1").topology_xml;
  xml.replace(xml.rfind("cache_size=\"1048576\""), std::string("cache_size=\"1048576\"").size(),
              "cache_size=\"524288\"");
  xml.insert(xml.rfind("</topology>"), kind("0x00000007", told("FrequencyMaxMHz", "3000")) +
                                           kind("0x00000038", told("FrequencyMaxMHz", "3010")));
  EXPECT_EQ(from_text(xml).clusters.size(), 2u);
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
                         kind("0x0000000c", told("CoreType", "IntelCore") + told("FrequencyMaxMHz", "5000")) +
                         kind("0x00000030", told("CoreType", "IntelAtom")))
                .clusters.size(),
            2u);
  EXPECT_EQ(machine_with("").clusters.size(), 1u);
  EXPECT_EQ(machine_with("").clusters[0].kind, "");
}

std::map<std::string, std::size_t> cores_by_kind(const std::string& kinds) {
  std::map<std::string, std::size_t> cores;
  for (const Cluster& cluster : machine_with(kinds).clusters) cores[cluster.kind] += cluster.cores.size();
  return cores;
}

using Cores = std::map<std::string, std::size_t>;

// Meteor Lake: P cores, E cores, and slower low-power E cores outside of the L3.
TEST(CoreKinds, SlowerCoresOfOneTypeAreAKindOfTheirOwn) {
  const auto typed = [](const char* cpus, const char* type, const char* mhz) {
    return kind(cpus, told("CoreType", type) + told("FrequencyMaxMHz", mhz));
  };
  EXPECT_EQ(
      cores_by_kind(typed("0x00000001", "IntelAtom", "2500") + typed("0x0000000e", "IntelAtom", "3800") +
                    typed("0x00000030", "IntelCore", "4800")),
      (Cores{{"E (2.5 GHz)", 1}, {"E (3.8 GHz)", 3}, {"P", 2}}));
  EXPECT_EQ(
      cores_by_kind(typed("0x0000000f", "IntelAtom", "3800") + typed("0x00000030", "IntelCore", "4800")),
      (Cores{{"E", 4}, {"P", 2}}));
}

// Cores with a higher base clock are of the same kind if their highest clock is the same.
TEST(CoreKinds, BaseClocksMakeKindsWhereTheHighestAreNotKnown) {
  const auto clocks = [](const char* most) {
    const std::string also = *most ? told("FrequencyMaxMHz", most) : "";
    return cores_by_kind(kind("0x0000000f", told("FrequencyBaseMHz", "1800") + also) +
                         kind("0x00000030", told("FrequencyBaseMHz", "3000") + also));
  };
  EXPECT_EQ(clocks(""), (Cores{{"kind 0", 4}, {"kind 1", 2}}));
  EXPECT_EQ(clocks("4000"), (Cores{{"", 6}}));
}

TEST(CoreKinds, RanksMakeKindsWhereNothingElseIsKnown) {
  EXPECT_EQ(cores_by_kind("<cpukind cpuset=\"0x0000000f\" forced_efficiency=\"0\"></cpukind>"
                          "<cpukind cpuset=\"0x00000030\" forced_efficiency=\"1\"></cpukind>"),
            (Cores{{"kind 0", 4}, {"kind 1", 2}}));
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
