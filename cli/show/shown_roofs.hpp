#pragma once

// The roofs of the first screen, and their tables, as gable show prints them and gable report writes them.

#include <set>
#include <string>
#include <vector>

#include "cli/show/recorded.hpp"

namespace gable::cli {

/// A cluster's or node's index with the words that its row or column has.
struct ShownIndex {
  int index = 0;
  std::string words;
};

/// A figure of one kind from every node for every cluster, each cluster alone.
struct ShownMatrix {
  std::vector<ShownIndex> clusters;             ///< "cluster 0 (node 0)"
  std::vector<ShownIndex> nodes;                ///< "node 0 DRAM"
  std::vector<model::Roof> bandwidth, latency;  ///< of loads; idle; the best over kernels and page sizes
};

/// One question, asked of each cluster.
struct ShownLine {
  std::string words, unit;             ///< "L2 loads", "GB/s"
  std::vector<model::Roof> figures;    ///< bandwidths or peaks, not all of them ok
  std::vector<model::Roof> latencies;  ///< not all of them ok
  std::string place = words;           ///< "L2": the words where loads are understood
};

ShownMatrix matrix_of(const ShownFolder& shown);

/// Peaks, cache levels and memories, also those of which no figure is known.
std::vector<ShownLine> lines_of(const ShownFolder& shown);

/// The operations of which latencies are known, in `figures` as nanoseconds, in `latencies` as cycles.
std::vector<ShownLine> operations_of(const ShownFolder& shown);

/// "0", "0 and 1", "0 to 3, 5".
std::string indices_text(std::vector<int> indices);

/// Tables with common rows.
struct ShownTable {
  std::string title;
  std::vector<std::string> labels;  ///< of the lines
  std::vector<std::string> places;  ///< the same without operation and unit: "DRAM, local"
  std::vector<Table> blocks;        ///< those without columns have no figure
  std::string note;                 ///< a sentence below it
};

/// Clusters by nodes; no labels where there is at most one figure of a kind.
ShownTable matrix_table(const ShownMatrix& matrix);

/// The lines of which a figure is known: a column for each cluster or, with many clusters, for each kind of
/// cores, with the range over its clusters.
ShownTable summary_table(const std::vector<ShownLine>& lines, const CoreKinds& kinds);

/// The same of operations.
ShownTable operations_table(const std::vector<ShownLine>& operations, const CoreKinds& kinds);

/// Whether any figure of the line is known.
bool is_known(const ShownLine& line);

/// Those that are ok, of all clusters or of one.
std::vector<model::Roof> ok_of(const std::vector<model::Roof>& roofs, int cluster = -1);

/// The clusters of which the lines have a figure.
std::set<int> clusters_of(const std::vector<ShownLine>& lines);

/// Whether the two ends of its interval are printed.
bool has_shown_ends(const model::Roof& roof);

/// Whether "±?" is printed: a single repetition, or few values that differ much.
bool has_unknown_interval(const model::Roof& roof);

/// "Peaks and bandwidths: 16 threads. The figures of LARM table 3. ± is as published."
std::string conditions_of(const ShownMatrix& matrix, const std::vector<ShownLine>& lines,
                          const std::vector<ShownLine>& operations);

/// Lines and clusters without any figure.
std::vector<std::string> unknown_words(const ShownFolder& shown, const std::vector<ShownLine>& lines);

}  // namespace gable::cli
