#pragma once

// The table behind the hybrid charts, panel by panel: bandwidth against the share of the data in the fast
// memory at one ratio of loads to stores.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/hybrid/predict.hpp"
#include "model/points/limits/everywhere.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::charts {

/// The shares of loads in percent of all bytes at which the grid was measured, largest first; without a grid,
/// a few shares for which the models can be shown. Shares less than one percent apart count as one.
std::vector<double> ratios_of(const model::HybridPair& pair);

/// "loads only", "67 % loads, 33 % stores".
std::string ratio_text(double load_percent);

/// The share of loads in all bytes of the cell, in percent.
double load_percent_of(const model::Cell& cell);

/// "hybrid-0-0-4"; of all clusters "hybrid-all-0-0-4".
std::string pair_chart_name(const std::string& kind, const model::HybridPair& pair);

/// "fast: HBM node 4, slow: DRAM node 0".
std::string pair_text(const model::HybridPair& pair);

/// One panel: its content by the names of its series; x is the percentage in the fast memory, y is GB/s.
struct HybridPanel {
  std::string title;
  std::map<std::string, std::vector<Datum>> series;
};

class HybridPanels {
 public:
  /// `pair` must outlive this.
  explicit HybridPanels(const model::HybridPair& pair);

  /// A panel with everything known at this ratio: limits, models, cells of the grid, and the figures of an
  /// application or, if there are none, of N:M interleaving. Nothing if nothing is known.
  void add(const std::string& title, double load_percent, const std::vector<model::Cell>& application);

  /// Columns: panel, title, load_percent, fast_percent, series ("limits", the names of laws, "benchmark",
  /// "application", "interleaved", "interleaved_equation5"), gb_per_s, lo, hi, n, interleave ("1:3", slow to
  /// fast).
  const Table& table() const { return table_; }
  const std::vector<HybridPanel>& panels() const { return panels_; }
  int count() const { return static_cast<int>(panels_.size()); }
  /// The largest GB/s. Intervals count only up to a quarter above the largest cell, so that a huge one does
  /// not compress everything else.
  double most() const { return std::max(most_, std::min(most_of_intervals_, 1.25 * most_of_cells_)); }
  bool beyond() const { return most_of_intervals_ > most(); }  ///< whether an interval extends beyond that
  bool has(const std::string& series) const {
    return std::ranges::any_of(panels_,
                               [&](const HybridPanel& panel) { return panel.series.contains(series); });
  }
  /// The reasons why a model's line is missing or ends in some panel although all bandwidths are known; each
  /// reason once.
  const std::vector<std::string>& gaps() const { return gaps_; }
  /// The equation 5 fitted to the cells interleaved N:M.
  const model::HybridModel& interleaved() const { return interleaved_.model(model::Law::equation5); }

 private:
  void add_row(const char* series, const Datum& datum);
  void add_limits();
  void add_line(const char* series, const std::function<model::Prediction(double fast_percent)>& predicted);
  void add_models();
  void add_cells(const char* series, std::vector<model::Cell> cells);
  void add_interleaved();

  const model::HybridPair& pair_;
  model::HybridFit interleaved_;  // of the cells at N:M, if there are any
  Table table_{{"panel", "title", "load_percent", "fast_percent", "series", "gb_per_s", "lo", "hi", "n",
                "interleave"}};
  double most_ = 0, most_of_cells_ = 0, most_of_intervals_ = 0;
  std::vector<std::string> gaps_;
  std::vector<HybridPanel> panels_;
  HybridPanel panel_;  // the panel being filled
  double load_percent_ = 0;
};

// Points on the surface of a pair's hybrid model (LARM paper, figure 17): their share of the fast memory,
// their share of loads, and their bandwidth beside the model's.

/// A Point whose accesses go to the two memories of a pair.
struct HybridPoint {
  std::size_t index = 0;  ///< among the recorded points
  model::OnPair on;
  double gb_per_s = 0, lo = 0, hi = 0;  ///< of a cluster, at memory level; by the interval of its time
  std::optional<double> model;          ///< GB/s of its mix by the model
  std::string reason;                   ///< why the model does not give it

  double fast_percent() const;
  double load_percent() const;
  /// The model at this share of data in the fast memory, with the Point's mix of loads and stores in each.
  std::optional<double> with_fast(double percent) const;
  /// The model at this share of loads, with the Point's distribution of loads and of stores.
  std::optional<double> with_loads(double percent) const;
  /// "3 % below the model"; why there is none.
  std::string distance_text() const;
};

/// The points of the pair's cluster, and of all clusters, that are not hidden.
std::vector<HybridPoint> points_on(const Recorded& recorded, const model::HybridPair& pair);

}  // namespace gable::charts
