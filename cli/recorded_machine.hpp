#pragma once

// machine.json of a recorded folder, which machines::machine_json writes. This is its only reader; both
// follow machines/fields.hpp.

#include <optional>
#include <string>
#include <vector>

#include "machines/machine.hpp"
#include "model/domain/operation.hpp"

namespace gable::cli {

/// A line of machine.json in words: {"system", "kernel", "6.1.0"}, {"hardware", "memory", "62.81 GiB"}.
struct Fact {
  std::string group;  ///< "hardware", "system", "settings", "gable"
  std::string name;
  std::string value;  ///< not empty
  bool of_node = false;
};

/// A machine as its file describes it, and what else the file says. What the file does not have is 0 or
/// empty; a file without the hardware threads of each core gets a core for each of them.
struct RecordedMachine : machines::Machine {
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

  bool lists_caches = false;  ///< whether the file has `caches`, of the whole machine
  bool emulated = false;
  std::uint64_t memory_bytes = 0;  ///< of the host; 0: not known
  std::vector<std::string> isas;   ///< of the host; empty: not known
  std::string huge_pages;  ///< "always", "madvise", "never": transparent ones of the host; empty: not known
  double clock_ghz = 0;    ///< as its source says; 0: of a measured machine, or not published
  std::vector<Claim> claims;
  std::vector<PerCycle> per_cycle;
  std::vector<std::string> not_published;  ///< what the source of a published machine does not give
  std::vector<std::string> sources;        ///< where the description of a published machine comes from
  std::vector<Fact> facts;                 ///< of the host

  /// nullptr where there is none with this index.
  const machines::Cluster* cluster(int index) const;
  /// Empty where there is no such node.
  model::Tiers tier_of(int node) const;
};

/// DIR/machine.json; nothing when it is absent. Throws Error::usage when DIR is no folder, Error::format with
/// the file, the field and what to do for a broken file.
std::optional<RecordedMachine> recorded_machine(const std::string& folder);

/// The same of the file's text; `path` names it in errors, `cure` says what to do.
RecordedMachine machine_from_json(const std::string& text, const std::string& path, const std::string& cure);

/// The caches of the machine, which DIR/machine.json describes; Error::format where it lists none.
const std::vector<machines::Cache>& recorded_caches(const RecordedMachine& machine,
                                                    const std::string& folder);

/// Whether DIR/machine.json says that the machine was emulated. Throws as recorded_machine.
bool is_emulated(const std::string& folder);

/// Whether two recordings are of one machine: of the same CPU, clusters, caches and memory nodes. A kernel
/// update or another memory limit does not make it another one.
bool same_machine(const RecordedMachine& a, const RecordedMachine& b);

}  // namespace gable::cli
