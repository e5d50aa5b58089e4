#pragma once

// A picture before it is drawn: one table and one script. A new chart is a function that makes its Chart, a
// line in the list of cli/plot/plot.cpp, and a script in plots/.

#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/hybrid/hybrid.hpp"
#include "model/points/binding.hpp"
#include "model/roofs/roofs.hpp"
#include "model/tiers/tiers.hpp"
#include "plots/charts/table.hpp"
#include "plots/gnuplot/gnuplot.hpp"

namespace gable::cli {

/// What the charts are made from.
struct Recorded {
  std::string machine;    ///< its name, as the charts' titles show it
  std::string cpu;        ///< CPU model, may be empty
  bool emulated = false;  ///< no figure of it tells a speed
  std::string op;         ///< the operation of the bandwidth roofs that are drawn
  model::Roofs roofs;
  model::Hybrid hybrid;                  ///< hybrid.json; no pairs where it is absent
  std::vector<model::Point> points;      ///< points.json; none where it is absent
  std::vector<model::Reading> readings;  ///< of the points, in their order
  std::vector<model::Placed> placed;     ///< placements.jsonl; none where it is absent
  std::vector<model::TierFigure> tiers;  ///< of tiers.jsonl; none where it is absent
};

struct Chart {
  std::string name;    ///< of its files, without the ending: "larm-0"
  std::string script;  ///< in plots/
  Table table;
  Variables variables;
  std::string omitted;  ///< why there is nothing to draw; empty when there is
};

/// Size of a picture and of the margins round its axes, in points.
struct Canvas {
  double width, height, left, right, top, bottom;

  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
  /// width, height, and the edges of the axes as fractions of the picture: left, right, top, bottom.
  void tell(Variables& variables) const;
};

inline constexpr double line_height = 17;  ///< of a label, in points
/// Room that a text of the labels' size takes, estimated on the wide side.
double text_width(const std::string& utf8);

/// The columns that name a roof and its figure, and their cells in the last row of a table.
const std::vector<std::string>& roof_columns();
void set_roof(Table& table, const model::Roof& roof);

/// Of the roofs that satisfy `wanted`, one for each (cluster, level, pattern, node, tier, precision, op): the
/// best ok one, over page sizes, kernels and thread counts (largest, or smallest where the unit is ns); where
/// none is ok, the first.
std::vector<model::Roof> best_of_each(const std::vector<model::Roof>& roofs,
                                      const std::function<bool(const model::Roof&)>& wanted);

/// "2 threads; load_avx512; better of 4k and 2m pages": what the roofs that are drawn have in common.
std::string conditions_text(const std::vector<model::Roof>& drawn);

/// "figures of LARM table 2": where published figures come from; empty where all were measured.
std::string sources_text(const std::vector<model::Roof>& drawn);

/// "Bands: 95 % confidence intervals." of what they are drawn as, or that the intervals are those that were
/// published; with `plus_minus`, that the ± beside figures (interval_text) is the distance to the further
/// end, as in the table of gable fit. `drawn_as` is empty where they stand as ± alone. Empty where no figure
/// has one.
std::string interval_note(const std::string& drawn_as, const std::vector<model::Roof>& drawn,
                          bool plus_minus);

/// Divides note_text, which stands below the axes, into two lines where the picture is too narrow for it, and
/// makes this higher by one: the second one is note_more, else empty. After Canvas::tell.
void fold_note(Variables& variables);

/// The line below a chart's title: what the figures are of, and how they were had.
std::string subtitle(const Recorded& recorded, const std::string& conditions);

/// Title lines of a chart; cluster < 0: of the whole machine.
void set_titles(Variables& variables, const Recorded& recorded, const std::string& subject, int cluster,
                const std::string& conditions);

/// Writes the charts' tables and pictures into `folder`, which is made where it is not there: all of them
/// once all are drawn, so that what ends it before leaves those that were there. Names each file, each chart
/// that is omitted and each picture there that is now older than its table on `tell` (null: nowhere). Without
/// gnuplot the tables are written and GnuplotError is thrown. Throws Interrupted and GnuplotError.
void write_and_draw(std::vector<Chart> charts, const std::string& folder,
                    const std::vector<std::string>& formats, std::FILE* tell);

Chart larm_chart(const Recorded& recorded, int cluster);
Chart ladder_chart(const Recorded& recorded, int cluster);
Chart latency_chart(const Recorded& recorded, int cluster);
Chart loaded_latency_chart(const Recorded& recorded, int cluster);
/// The measured grid of a pair of memories against the models, a panel for each ratio of loads to stores;
/// from published parameters alone where there is no grid (LARM paper, figure 16).
Chart hybrid_chart(const Recorded& recorded, const model::HybridPair& pair);
/// ddot, scale and triad over the placements of the grid, against it and the models (figure 17).
Chart hybrid_applications_chart(const Recorded& recorded, const model::HybridPair& pair);
/// Bandwidth over the size of written blocks, for one way to store: a panel for each tier and order, a line
/// for each number of threads.
Chart writes_chart(const Recorded& recorded, int cluster, const std::string& way);
/// The benchmarks of tiers over the number of threads: a panel for each, a line for each tier.
Chart tier_threads_chart(const Recorded& recorded, int cluster);
Chart bandwidth_matrix(const Recorded& recorded);
Chart latency_matrix(const Recorded& recorded);

}  // namespace gable::cli
