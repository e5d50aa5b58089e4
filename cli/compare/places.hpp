#pragma once

// Clusters and nodes by their positions, so that two machines can be compared.

#include <string>

#include "cli/compare/side.hpp"

namespace gable::cli {

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

}  // namespace gable::cli
