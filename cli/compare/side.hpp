#pragma once

// A recorded folder as gable compare reads it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/recorded.hpp"
#include "model/compare/match.hpp"
#include "model/virt/summary.hpp"

namespace gable::cli {

struct Side {
  /// Whether a memory-side cache is before this node's memory; without a node, before any.
  bool has_side_cache(std::optional<int> node = {}) const;

  ShownFolder shown;
  std::string label;                       ///< distinguishes it from the others: the name of its folder
  std::map<std::string, int> rounds;       ///< valid rounds by key(Case), of samples.jsonl; empty without it
  std::map<std::string, int> tier_rounds;  ///< the same by key(TierCase), of tiers.jsonl
  int hybrid_rounds = 0;                   ///< of the hybrid grid; 0: not known
  double clock_ghz = 0;                    ///< median of what was measured; 0: not known
  std::string started;                     ///< of the first sample, UTC; empty: not known
  std::vector<Fact> facts;                 ///< also of clusters, caches, nodes, and of the run
  model::VirtSummary virt;                 ///< of virt.jsonl; empty where there is none
};

/// What machine.json says about hardware, system and settings, in words.
std::vector<Fact> facts_of(const RecordedMachine& machine);
/// "2 clusters of 8 cores (16 threads)" and "L1 32 KiB × 16, L2 …".
std::string clusters_text(const RecordedMachine& machine);
std::string caches_text(const RecordedMachine& machine);

/// Throws as read_folder and machine_folder.
Side read_side(const std::string& named);

/// Gives the sides labels: the last names of their folders or, if these are equal, the folders. Of a folder
/// that is given twice, the second is "joe0 (2)".
/// `names`, if there are any, are the labels.
void label_sides(std::vector<Side>& sides, const std::vector<std::string>& named,
                 const std::vector<std::string>& names);

/// A fact that is not the same on all sides.
struct Change {
  std::string group, name;
  std::vector<std::string> values;  ///< one per side
};

std::vector<Change> changes_of(const std::vector<Side>& sides);

// Clusters and nodes by their positions, so that two machines can be compared.

/// How far the clusters and nodes of two machines correspond.
enum class Likeness {
  same,      ///< the same CPU, clusters and nodes: everything is matched by number
  alike,     ///< as many clusters with the same tiers: own memories by position, others if unambiguous
  different  ///< own caches and memories of clusters with the same number, by tier
};

class Places {
 public:
  /// Names the places of `side`, when it is compared with `partner`.
  Places(const Side& side, const Side& partner);

  /// How figures are matched, in a sentence.
  std::string sentence() const;

  /// "DRAM 0": the position among the nodes of its tier, of the cluster's own ones if it is local; the number
  /// where machine.json does not list it.
  std::string node(int cluster, int node) const;
  /// Whether it is one of the cluster's own.
  bool is_own_node(int cluster, int node) const;
  /// "all cores", "all hardware threads", "7 threads", "4 threads with SMT".
  std::string threads(int cluster, int count, bool smt) const;
  /// Whether a memory-side cache stands before the node, or before one of the tiers' nodes where it has none.
  bool is_behind_cache(const model::Case& spec) const;

  /// Why no figure of the partner has the same meaning; empty: one may.
  model::Note no_partner(int cluster) const;
  model::Note no_partner(const model::Case& spec) const;

 private:
  const Side &side_, &partner_;
  Likeness likeness_;
};

/// The figures of a folder in the form in which they are compared: roofs (bandwidth, peaks, latency, loaded
/// latency, ladder), hybrid parameters, placements and tiers.
std::vector<model::Figure> figures_of(const Side& side, const Places& places);

/// Figures with the same of these share the drift between two runs (model::Figure::drift_group).
inline constexpr const char* core_drift = "cores and private caches";
inline constexpr const char* memory_drift = "shared caches and memory";

/// Adds the classes of pairs of cores, and threads that contend for a line.
void add_c2c_figures(std::vector<model::Figure>& figures, const std::vector<model::C2cFigure>& c2c);
/// The question of a figure of virtualization.
std::string virt_question(const model::VirtCase& spec);
/// Adds costs of mapping, programs, page walks at each working set, and the noise of all CPUs.
void add_virt_figures(std::vector<model::Figure>& figures, const model::VirtSummary& virt);

}  // namespace gable::cli
