#pragma once

// Charts of placements: traversed edges per second over ranks, over threads, and graph by graph (PMEM graph
// thesis, figures 3.1 to 3.6 and 3.9 to 3.12).

#include <map>
#include <string>
#include <vector>

#include "model/records/placed.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/table.hpp"

namespace gable::charts {

/// A record's position on the x axis and its tick text, which may be empty.
struct PlaceAt {
  double x = 0;
  std::string text;
};

/// The table behind a chart of several panels: traversed edges per second, a series for each placement.
class PlacePanels {
 public:
  /// The letters of all records that the chart may show.
  explicit PlacePanels(const std::vector<model::Placed>& records);

  /// Adds a panel with the ok records among these. Panels of one `row` have the same y axis.
  void add(const std::string& title, int row, const std::vector<model::Placed>& records,
           PlaceAt (*at)(const model::Placed&));
  /// Adds a panel as above; `at` gives the place of every record.
  void add(const std::string& title, int row, const std::vector<model::Placed>& records,
           const std::vector<PlaceAt>& at);

  int count() const { return static_cast<int>(panels_.size()); }
  /// Moves table, note, legend and panels into the chart; the titles must be set. `bars`: next to each other
  /// at whole numbers from 0; otherwise lines, over a logarithmic x axis if `log_x`. `columns`: panels per
  /// row.
  void finish(Chart& chart, const std::string& x_label, int columns, bool bars, bool log_x);

 private:
  struct Of {
    std::string title;
    int row = 0;
    std::map<std::size_t, std::vector<Datum>>
        series;  ///< by number of the code; y in millions of edges a second
  };
  std::string note() const;
  Axis x_axis(const std::string& title, bool bars, bool log_x) const;
  void add_series(Panel& panel, const Of& of, bool bars) const;

  std::map<std::string, char> letters_;
  std::vector<std::string> codes_;  ///< of the series
  Table table_;
  std::map<int, double> most_;  ///< by row, in millions of edges a second
  std::vector<Of> panels_;
  std::map<double, std::string> tics_;
  int missing_ = 0;
  int shown_ = 0;        ///< records in all panels ...
  int published_ = 0;    ///< ... of which these are published figures
  bool beyond_ = false;  ///< an interval is wider than its panel
};

/// "2 threads, one per core"; with several records of the same threads, "1 thread".
std::string team_text(int threads, bool smt);

}  // namespace gable::charts
