// The memory benchmarks of tiers: writes over the size of their blocks, a chart for each way to store with a
// panel for each tier and order; and bandwidth over the number of threads, a panel for each benchmark.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "model/records/names.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/charts.hpp"
#include "plots/charts/parts.hpp"
#include "plots/charts/styles.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::TierFigure;
using Figures = std::vector<const TierFigure*>;

namespace {

constexpr double widest = 4;  // factor of an interval, on either side of its value

// Collects panels of lines.
class TierPanels {
 public:
  void begin(const std::string& title) { panels_.push_back({title, {}, {}}); }
  void add(std::size_t series, double x, const TierFigure& figure);
  void drop_empty() {
    std::erase_if(panels_, [](const One& panel) { return panel.series.empty(); });
  }

  bool claimed() const { return claimed_; }  ///< whether they contain a vendor's claim

  /// Adds table, legend and panels to the chart, whose titles and note must be set.
  void finish(Chart& chart, int columns, const std::vector<std::string>& legend, const std::string& x_text,
              std::string (*tick)(double), bool lines_are_tiers);

 private:
  struct One {
    std::string title;
    std::map<std::size_t, std::vector<Datum>> series;
    std::map<std::size_t, double> vendor;  // GB/s
  };

  Axis x_axis(const std::string& title, std::string (*tick)(double)) const;
  Axis y_axis() const;

  Table table_{{"panel", "title", "series", "tier", "what", "way", "order", "access_bytes", "threads", "smt",
                "x", "value", "lo", "hi", "n", "vendor"}};
  std::vector<One> panels_;
  bool claimed_ = false;
  Extremes values_;
  std::set<double> xs_;
};

void TierPanels::add(std::size_t series, double x, const TierFigure& figure) {
  const model::TierCase& spec = figure.spec;
  One& panel = panels_.back();
  const auto shown =
      std::count_if(panels_.begin(), panels_.end() - 1, [](const One& one) { return !one.series.empty(); });
  table_.add(shown, panel.title, series, spec.tier, spec.what, spec.way, spec.order, spec.access_bytes,
             spec.threads, spec.smt, x, figure.estimate.value, figure.estimate.lo, figure.estimate.hi,
             figure.estimate.n);
  if (figure.vendor_gb_per_s > 0) {
    table_.set("vendor", figure.vendor_gb_per_s);
    claimed_ = true;
    panel.vendor[series] = figure.vendor_gb_per_s;
    values_.see(figure.vendor_gb_per_s);
  }
  panel.series[series].push_back({x, figure.estimate.value, figure.estimate.lo, figure.estimate.hi});
  xs_.insert(x);
  // The interval of two or three visits may be very wide: it ends at the frame.
  values_.see(std::max(figure.estimate.lo, figure.estimate.value / widest));
  values_.see(std::min(figure.estimate.hi, figure.estimate.value * widest));
}

Axis TierPanels::x_axis(const std::string& title, std::string (*tick)(double)) const {
  Axis axis{title, *xs_.begin() / 1.15, *xs_.rbegin() * 1.15, Scale::log2, std::vector<Tick>()};
  for (auto at = xs_.begin(); at != xs_.end(); ++at) {
    if (std::next(at) != xs_.end() && *std::next(at) < 1.4 * *at)
      continue;  // its text would overlap the next one
    axis.ticks->push_back({*at, tick(*at)});
  }
  return axis;
}

Axis TierPanels::y_axis() const {
  const double from = values_.least / 1.15, to = values_.most * 1.15;
  return {{"bandwidth", "GB/s"}, from, to, Scale::log10, decade_ticks(from, to)};
}

void TierPanels::finish(Chart& chart, int columns, const std::vector<std::string>& legend,
                        const std::string& x_text, std::string (*tick)(double), bool lines_are_tiers) {
  drop_empty();
  const int count = static_cast<int>(panels_.size());
  PanelGrid grid{70, 126, 300, 226, 34, 66, columns};
  double widest = 0;
  for (const One& one : panels_) widest = std::max(widest, text_width(one.title));
  if (chart.column) grid.fit_column(widest);
  for (std::size_t s = 0; s < legend.size(); ++s)
    chart.legend.push_back({legend[s], Mark::line, series_style(s), true});
  lay_out_grid(chart, grid, count, {.least_width = 500});
  for (int i = 0; i < count; ++i) {
    const One& one = panels_[static_cast<std::size_t>(i)];
    Panel panel;
    panel.area = grid.area(i);
    panel.title = one.title;
    panel.x = x_axis(grid.is_lowest(i, count) ? x_text : "", tick);
    panel.y = y_axis();
    if (!grid.is_first_column(i)) panel.y.drop_texts();
    for (const auto& [s, claim] : one.vendor) {
      Style dashed = lines_are_tiers ? series_style(s) : Style{soft_ink};
      dashed.width = 1.4;
      dashed.dash = {5, 4};
      panel.series.push_back(
          {"claimed by the vendor", Mark::line, dashed, {{panel.x.from, claim}, {panel.x.to, claim}}});
    }
    for (const auto& [s, data] : one.series) {
      Style line = series_style(s);
      line.size = 0.6;
      Style thin = line;
      thin.width = 1.4;
      add_curve(panel, legend[s], data, line, thin, thin);
    }
    chart.panels.push_back(std::move(panel));
  }
  chart.table = table_;
}

Figures ok_of(const Recorded& recorded, int cluster) {
  Figures figures;
  for (const TierFigure& figure : recorded.tiers) {
    if (figure.spec.cluster == cluster && figure.status == model::Status::ok && figure.source.empty())
      figures.push_back(&figure);
  }
  return figures;
}

std::vector<std::string> tiers_of(const Figures& figures) {
  return distinct(figures, [](const TierFigure* figure) { return figure->spec.tier; });
}

std::string kernels_text(const Figures& drawn) {
  std::set<std::string> isas;
  for (const TierFigure* figure : drawn) isas.insert(model::isa_of(figure->kernel));
  return list_text({isas.begin(), isas.end()});
}

std::string note_of(const TierPanels& panels, const std::string& more) {
  return "Bars: 95 % confidence intervals." + more + (panels.claimed() ? " Dashed: the vendor's claim." : "");
}

std::string threads_text(int threads, bool smt) {
  return count_text(threads, "thread") + (smt ? ", SMT" : "");
}

std::string size_tick(double bytes) {
  return bytes < 1024 ? fmt::format("{:g}", bytes) : fmt::format("{:g}K", bytes / 1024);
}

std::string count_tick(double count) {
  return fmt::format("{:g}", count);
}

}  // namespace

Chart writes_chart(const Recorded& recorded, int cluster, const std::string& way) {
  const std::string name = fmt::format("writes-{}-{}", way, cluster);
  Figures drawn = ok_of(recorded, cluster);
  std::erase_if(drawn, [&](const TierFigure* f) {
    return !stores_blocks(f->spec) || f->spec.way != way ||
           recorded.hides(threads_text(f->spec.threads, f->spec.smt));
  });
  if (drawn.empty()) return omitted_chart(name, "no writes in blocks were measured");
  sort_by(drawn, [](const TierFigure* f) { return f->spec.access_bytes; });
  std::set<std::pair<bool, int>> threads;
  for (const TierFigure* figure : drawn) threads.insert({figure->spec.smt, figure->spec.threads});
  const std::vector<std::string> tiers = tiers_of(ok_of(recorded, cluster));
  TierPanels panels;
  for (const char* order : {"sequential", "random"}) {
    for (const std::string& tier : tiers) {
      panels.begin(fmt::format("{}, {} blocks", tier, order));
      for (const TierFigure* f : drawn) {
        if (f->spec.order != order || f->spec.tier != tier) continue;
        const auto series = threads.find({f->spec.smt, f->spec.threads});
        panels.add(static_cast<std::size_t>(std::distance(threads.begin(), series)),
                   static_cast<double>(f->spec.access_bytes), *f);
      }
    }
  }
  std::vector<std::string> legend;
  for (const auto& [smt, count] : threads) legend.push_back(threads_text(count, smt));
  Chart chart;
  chart.name = name;
  set_titles(chart, recorded, fmt::format("Writes by {}", model::way_text(way)), cluster,
             kernels_text(drawn));
  chart.note = note_of(panels, model::stays_in_caches(way)
                                   ? ""
                                   : " The memory has accepted each block before the next one starts.");
  panels.finish(chart, static_cast<int>(std::min<std::size_t>(4, tiers.size())), legend, "bytes of a block",
                size_tick, false);
  return chart;
}

Chart tier_threads_chart(const Recorded& recorded, int cluster) {
  const std::string name = fmt::format("tier-threads-{}", cluster);
  Figures drawn = ok_of(recorded, cluster);
  std::erase_if(drawn, [&](const TierFigure* f) {
    return stores_blocks(f->spec) || f->spec.smt || is_latency(f->spec) || recorded.hides(f->spec.tier);
  });
  std::set<int> counts;
  for (const TierFigure* figure : drawn) counts.insert(figure->spec.threads);
  if (counts.size() < 2)
    return omitted_chart(name, "the tiers' bandwidths were not measured with several numbers of threads");
  sort_by(drawn, [](const TierFigure* f) { return f->spec.threads; });
  const std::vector<std::string> tiers = tiers_of(ok_of(recorded, cluster));
  TierPanels panels;
  for (const std::string& bench : distinct(drawn, [](const TierFigure* f) { return name_of(f->spec); })) {
    panels.begin(bench);
    for (const TierFigure* f : drawn) {
      if (name_of(f->spec) != bench) continue;
      const auto series = std::ranges::find(tiers, f->spec.tier);
      panels.add(static_cast<std::size_t>(std::distance(tiers.begin(), series)), f->spec.threads, *f);
    }
  }
  Chart chart;
  chart.name = name;
  set_titles(chart, recorded, "Bandwidth of tiers by threads", cluster, kernels_text(drawn));
  chart.note = note_of(panels, "");
  panels.finish(chart, 4, tiers, "threads", count_tick, true);
  return chart;
}

}  // namespace gable::charts
