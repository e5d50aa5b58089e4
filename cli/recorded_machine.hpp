#pragma once

// machine.json of a recorded folder, which machines::machine_json writes. This is its only reader.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/domain/operation.hpp"
#include "model/domain/tier.hpp"

namespace gable::cli {

/// A line of machine.json in words: {"system", "kernel", "6.1.0"}, {"hardware", "memory", "62.81 GiB"}.
struct Fact {
  std::string group;  ///< "hardware", "system", "settings", "gable"
  std::string name;
  std::string value;  ///< not empty
  bool of_node = false;
};

/// What the commands need of the file. What the file does not have is 0 or empty.
struct RecordedMachine {
  struct Cache {
    int level = 0;
    std::uint64_t bytes = 0;          ///< of one instance
    std::uint64_t largest_bytes = 0;  ///< where instances differ
    int count = 0;
    int pus_sharing = 0, cores_sharing = 0;  ///< of one instance
    bool operator==(const Cache&) const = default;
  };
  struct Cluster {
    int index = 0;
    std::string kind;             ///< of its cores where the machine has several: "P", "E"; else empty
    std::string core;             ///< microarchitecture; empty: not known
    std::vector<unsigned> pus;    ///< os indices of its hardware threads
    std::vector<unsigned> nodes;  ///< os indices of its local memory nodes
    std::vector<std::vector<unsigned>> core_pus;  ///< pus by core
    std::vector<Cache> caches;                    ///< that its cores use
    /// Compares without `core`, which older recordings do not have.
    bool operator==(const Cluster& b) const {
      return index == b.index && kind == b.kind && pus == b.pus && nodes == b.nodes &&
             core_pus == b.core_pus && caches == b.caches;
    }
  };
  struct Node {
    int os_index = 0;
    model::Tiers tier;                                     ///< one; none: not known
    std::uint64_t bytes = 0, memory_side_cache_bytes = 0;  ///< 0: not known, none
  };
  /// What the source of a published machine says of a tier.
  struct Claim {
    std::string tier;
    model::Operation op;  ///< load or store
    double gb_per_s = 0;
  };

  /// What the source of a published machine says of the instructions that a core executes in a cycle.
  struct PerCycle {
    std::string op;         ///< "load", "fma"
    bool measured = false;  ///< otherwise in theory
    double instructions = 0;
    std::string source;
  };

  std::string name, cpu_model;
  std::vector<std::string> isas;  ///< of the host; empty: not known
  std::string huge_pages;  ///< "always", "madvise", "never": transparent ones of the host; empty: not known
  std::vector<Cluster> clusters;
  std::vector<Node> nodes;
  std::optional<std::vector<Cache>> caches;  ///< of the whole machine; nothing where the file lists none
  bool emulated = false;
  double clock_ghz = 0;  ///< as its source says; 0: of a measured machine, or not published
  std::vector<Claim> claims;
  std::vector<PerCycle> per_cycle;
  std::vector<std::string> not_published;  ///< what the source of a published machine does not give
  std::vector<std::string> sources;        ///< where the description of a published machine comes from
  std::vector<Fact> facts;                 ///< of the host

  /// nullptr where there is none with this index.
  const Cluster* cluster(int index) const;
};

/// DIR/machine.json; nothing when it is absent. Throws Error::usage when DIR is no folder, Error::format with
/// the file, the field and what to do for a broken file.
std::optional<RecordedMachine> recorded_machine(const std::string& folder);

/// The same of the file's text; `path` names it in errors, `cure` says what to do.
RecordedMachine machine_from_json(const std::string& text, const std::string& path, const std::string& cure);

/// The caches of the machine, which DIR/machine.json describes; Error::format where it lists none.
const std::vector<RecordedMachine::Cache>& recorded_caches(const RecordedMachine& machine,
                                                           const std::string& folder);

/// Whether DIR/machine.json says that the machine was emulated. Throws as recorded_machine.
bool is_emulated(const std::string& folder);

/// Whether two recordings are of one machine: of the same CPU, clusters, caches and memory nodes. A kernel
/// update or another memory limit does not make it another one.
bool same_machine(const RecordedMachine& a, const RecordedMachine& b);

}  // namespace gable::cli
