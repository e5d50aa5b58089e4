#pragma once

// The input of the charts of a recorded machine, and code that several charts share.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/c2c/classes.hpp"
#include "model/hybrid/hybrid.hpp"
#include "model/points/binding.hpp"
#include "model/records/placed.hpp"
#include "model/roofs/roofs.hpp"
#include "model/tiers/tiers.hpp"
#include "plots/charts/chart.hpp"

namespace gable::charts {

/// The roofs of another machine, to be drawn over those of this one.
struct Overlay {
  std::string machine;
  model::Roofs roofs;
};

/// A core of the machine.
struct RecordedCore {
  std::vector<unsigned> pus;  ///< os indices of its hardware threads
  int cluster = 0;
  int block = 0;  ///< cores with the same number share the largest cache of their cluster
};

struct Recorded {
  std::string machine;                    ///< its name in the charts' titles
  std::string cpu;                        ///< CPU model, may be empty
  std::map<int, std::string> core_kinds;  ///< "P", "E", "kind 0" by cluster, where the machine has several
  std::vector<RecordedCore> cores;        ///< in the order of clusters; none if that is not known
  std::string caveat;                     ///< a remark about all figures, may be empty: "emulated ..."
  model::Operation op = model::operations::load;  ///< the operation of the bandwidth roofs that are drawn
  model::Roofs roofs;
  model::Hybrid hybrid;                  ///< hybrid.json; no pairs if there is no file
  std::vector<model::Point> points;      ///< points.json; none if there is no file
  std::vector<model::Reading> readings;  ///< of the points, in their order
  std::vector<model::Placed> placed;     ///< placements.jsonl; none if there is no file
  std::vector<model::TierFigure> tiers;  ///< of tiers.jsonl; none if there is no file
  std::vector<model::C2cFigure> c2c;     ///< of c2c.jsonl; none if there is no file

  bool column = false;              ///< charts for a paper's column (Chart::column)
  std::vector<std::string> hidden;  ///< roofs and series to leave out: parts of their names, in any case
  std::optional<Overlay> overlay;   ///< over the roofline charts
  bool with_tables = false;         ///< a chart's table stands below it, as in a report
  bool with_functions = false;      ///< also roofline charts of the functions of points

  /// Whether what has this name is left out.
  bool hides(const std::string& name) const;
  /// Where a reader finds what the chart of this name leaves out: "larm-0.tsv", "the table below".
  std::string table_of(const std::string& chart) const;
};

/// "cluster 0"; "cluster 0 (P cores)" where kinds of cores differ.
std::string cluster_text(const Recorded& recorded, int cluster);

/// The end of the name of a chart of bandwidths: empty of loads, "-store" of stores.
std::string op_suffix(const Recorded& recorded);

/// Returns a table with the columns of model::roof_columns(), followed by `more`.
Table roof_table(const std::vector<std::string>& more);
/// Their cells in the last row of a table.
void set_roof(Table& table, const model::Roof& roof);

/// "2 threads", "1 to 7 threads": of the drawn roofs that are ok; empty if none is.
std::string thread_numbers_text(const std::vector<model::Roof>& drawn);

/// "2 threads; load_avx512; better of 4k and 2m pages": the common properties of the drawn roofs.
std::string conditions_text(const std::vector<model::Roof>& drawn);

/// "figures of LARM table 2": the source of published figures; empty if all were measured.
std::string sources_text(const std::vector<model::Roof>& drawn);

/// "Bands: 95 % confidence intervals." for intervals drawn as bands, or that the intervals are as
/// published; with `plus_minus`, that the ± of figures (interval_text) is the distance to the further
/// end, as in the table of gable fit. `drawn_as` is empty if intervals appear only as ±. Empty if no figure
/// has one.
std::string interval_note(const std::string& drawn_as, const std::vector<model::Roof>& drawn,
                          bool plus_minus);

/// " Remarks on 3 figures: larm-0.tsv." (table_of); empty if no roof has one.
std::string remark_note(const Recorded& recorded, const std::vector<model::Roof>& drawn,
                        const std::string& chart);

/// Details of a roof's figure in addition to the name: value, interval, kernel, pages, threads, repetitions.
std::string roof_detail(const model::Roof& roof);

/// Title and subtitle of a chart, and whether it is for a paper's column; cluster < 0: of the whole machine.
void set_titles(Chart& chart, const Recorded& recorded, const std::string& subject, int cluster,
                const std::string& conditions);

/// Ticks of an axis with decades: 1, 2 and 5 of each; fewer on many decades, more within one.
std::vector<Tick> decade_ticks(double from, double to);

/// A chart that is not drawn.
Chart omitted_chart(const std::string& name, const std::string& reason);

}  // namespace gable::charts
