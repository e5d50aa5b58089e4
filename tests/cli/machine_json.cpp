// machine.json: what is written is read, and nothing is lost.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "cli/recorded_machine.hpp"
#include "machines/json.hpp"

namespace {

namespace fs = std::filesystem;
using gable::cli::machine_from_json;
using gable::cli::RecordedMachine;
using gable::machines::machine_json;

RecordedMachine read(const std::string& text) {
  return machine_from_json(text, "machine.json", "write it anew");
}

TEST(MachineJson, WhatIsWrittenIsReadForEveryTopology) {
  int topologies = 0;
  for (const auto& entry : fs::directory_iterator(GABLE_SOURCE_DIR "/tests/machines/topologies")) {
    if (entry.path().extension() != ".xml") continue;
    const std::string written = machine_json(gable::machines::from_xml(entry.path()), nullptr, {});
    EXPECT_EQ(machine_json(read(written), nullptr, {}), written) << entry.path();
    ++topologies;
  }
  EXPECT_GE(topologies, 10);
}

TEST(MachineJson, WithoutCoresEachHardwareThreadIsOne) {
  const RecordedMachine machine = read(R"({"clusters": [{"index": 0, "pus": [0, 4]}]})");
  ASSERT_EQ(machine.clusters.size(), 1u);
  EXPECT_EQ(machine.clusters[0].cores.size(), 2u);
  EXPECT_EQ(hardware_threads(machine.clusters[0]), (std::vector<unsigned>{0, 4}));
  EXPECT_FALSE(machine.lists_caches);
}

TEST(MachineJson, WaysOfCachesAreKeptAndOlderFilesHaveNone) {
  auto machine = gable::machines::from_xml(GABLE_SOURCE_DIR "/machines/joe0/topology.xml");
  ASSERT_FALSE(machine.caches.empty());
  for (auto& cache : machine.caches) cache.ways = 0;
  const RecordedMachine older = read(machine_json(machine, nullptr, {}));
  EXPECT_EQ(older.caches.front().ways, 0);
  machine.caches.front().ways = 8;
  const RecordedMachine newer = read(machine_json(machine, nullptr, {}));
  EXPECT_EQ(newer.caches.front().ways, 8);
  EXPECT_TRUE(same_machine(older, newer)) << "the older file does not tell";
  machine.caches.front().ways = 12;
  EXPECT_FALSE(same_machine(read(machine_json(machine, nullptr, {})), newer));
}

TEST(MachineJson, WrongFieldsAreNamed) {
  for (const auto& [text, field] : {std::pair{R"({"clusters": [{"pus": [0]}]})", "index"},
                                    {R"({"clusters": [{"index": 0, "core_pus": [[]]}]})", "core_pus"},
                                    {R"({"nodes": [{"bytes": 1}]})", "os_index"},
                                    {R"({"caches": [{"level": 10, "bytes": 1}]})", "level"},
                                    {R"({"caches": [{"level": 1, "bytes": 1, "ways": -1}]})", "ways"},
                                    {R"({"distances": [[1, "a"]]})", "distances"}}) {
    try {
      read(text);
      ADD_FAILURE() << text;
    } catch (const gable::Error& error) {
      EXPECT_NE(error.text().find(field), std::string::npos) << error.text();
    }
  }
}

}  // namespace
