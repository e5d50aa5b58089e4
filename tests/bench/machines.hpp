#pragma once

// Machines for the tests of bench: those of tests/machines/topologies, invented ones, and this host.

#include <numaif.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bench/buffers/buffer.hpp"
#include "bench/schedule/make_plan.hpp"
#include "machines/machine.hpp"

namespace gable::bench::tests {

constexpr std::uint64_t KiB = 1 << 10, MiB = 1 << 20;

inline std::vector<std::string> topologies() {
  std::vector<std::string> paths;
  const std::filesystem::path folder = GABLE_SOURCE_DIR "/tests/machines/topologies";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  return paths;
}

/// `nodes` sockets, each with its own node and `cores` cores behind one L3.
inline machines::Machine sockets(int nodes, int cores) {
  return machines::from_synthetic("pack:" + std::to_string(nodes) +
                                  " [numa(memory=68719476736)] l3:1(size=33554432) l2:" +
                                  std::to_string(cores) + "(size=1048576) l1d:1(size=32768) core:1 pu:1");
}

/// Every topology of the tests, and one, two and four sockets.
inline std::vector<machines::Machine> zoo() {
  std::vector<machines::Machine> all;
  for (const std::string& path : topologies()) all.push_back(machines::from_xml(path));
  for (const int nodes : {1, 2, 4}) all.push_back(sockets(nodes, 8));
  return all;
}

/// Short visits of few cells, for tests that measure on this host.
constexpr Preset tiny = {.name = "tiny",
                         .summary = "",
                         .rounds = 2,
                         .visit_seconds = 0.02,
                         .tight = 0,
                         .ladder_rounds = 1,
                         .ladder_seconds = 0.01,
                         .steps_per_octave = 1,
                         .load_steps = 2,
                         .grid_level = 1,
                         .all_grid_level = 0,
                         .grid_pairs = 1,
                         .grid_rounds = 1,
                         .validation = false,
                         .every_isa = false,
                         .all_operations = false,
                         .all_pages = false};

/// The first thread of each core of this host's first cluster.
inline std::vector<unsigned> cpus() {
  return pus_of(machines::this_machine().clusters.at(0), 0, false);
}

inline int first_node() {
  return static_cast<int>(machines::this_machine().nodes.at(0).os_index);
}

/// Why memory cannot be bound, or its location not be asked for, as in many containers; empty where both
/// work.
inline std::string numa_refused() {
  gable::model::Notes notes;
  const Buffer buffer(MiB, {static_cast<unsigned>(first_node())}, *gable::model::pages_named("4k"), notes);
  if (!notes.empty()) return sentence(notes.front());
  void* page = buffer.data();
  int node = 0;
  return move_pages(0, 1, &page, nullptr, &node, 0) == 0 ? "" : "move_pages is not permitted";
}

/// Bytes by node, summed.
inline std::uint64_t total(const std::map<int, std::uint64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

inline Options options_of(const char* preset, std::vector<std::string> only = {}) {
  Options options;
  options.preset = find_preset(preset);
  options.only = std::move(only);
  return options;
}

}  // namespace gable::bench::tests

/// Without these system calls there is nothing to test.
#define SKIP_WITHOUT_NUMA() \
  if (const std::string why = gable::bench::tests::numa_refused(); !why.empty()) GTEST_SKIP() << why
