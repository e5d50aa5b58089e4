// The memory benchmarks of tiers: writes over the size of their blocks, a chart for each way to store with a
// panel for each tier and order; and bandwidth over the number of threads, a panel for each benchmark.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/words.hpp"
#include "cli/place/memory/words.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

using model::TierFigure;

namespace {

constexpr double panel_width = 300, panel_height = 226, tier_gap_x = 34, tier_gap_y = 66;
constexpr double widest = 4;  // of an interval, on either side of its figure

// Panels of lines, as they are filled.
class Panels {
 public:
  /// A panel of its own from here on, once a point follows.
  void begin(const std::string& title) {
    title_ = title;
    began_ = false;
  }
  void add(std::size_t series, double x, const TierFigure& figure) {
    if (!began_) ++panel_;
    began_ = true;
    const model::TierCase& asked = figure.asked;
    table_.add_row();
    table_.set("panel", panel_);
    table_.set("title", title_);
    table_.set("series", static_cast<double>(series));
    table_.set("tier", asked.tier);
    table_.set("what", asked.what);
    table_.set("way", asked.way);
    table_.set("order", asked.order);
    table_.set("access_bytes", static_cast<double>(asked.access_bytes));
    table_.set("threads", asked.threads);
    table_.set("smt", asked.smt ? 1 : 0);
    table_.set("x", x);
    table_.set("value", figure.estimate.value);
    table_.set("lo", figure.estimate.lo);
    table_.set("hi", figure.estimate.hi);
    table_.set("n", figure.estimate.n);
    if (figure.vendor_gb_per_s > 0) {
      table_.set("vendor", figure.vendor_gb_per_s);
      claimed_ = true;
      least_ = std::min(least_, figure.vendor_gb_per_s);
      most_ = std::max(most_, figure.vendor_gb_per_s);
    }
    xs_.insert(x);
    // The interval of two or three visits may be wider than any picture: there it ends at the frame.
    least_ = std::min(least_, std::max(figure.estimate.lo, figure.estimate.value / widest));
    most_ = std::max(most_, std::min(figure.estimate.hi, figure.estimate.value * widest));
  }

  int count() const { return panel_ + 1; }
  /// Whether a vendor's claim is in them.
  bool claimed() const { return claimed_; }

  /// Tells the script where everything is; titles must be told before.
  void lay_out(Chart& chart, int columns, const std::vector<std::string>& legend, const std::string& x_text,
               std::string (*tick)(double), bool lines_are_tiers) {
    double x = 20;
    for (std::size_t s = 0; s < legend.size(); ++s) {
      chart.variables[fmt::format("legend_{}", s)] = legend[s];
      chart.variables[fmt::format("legend_{}_x", s)] = x;
      x += 34 + text_width(legend[s]) + 12;
    }
    const int rows = (count() + columns - 1) / columns;
    const double wide = 70 + columns * (panel_width + tier_gap_x) + 20;
    const double texts =
        std::max({text_width(std::get<std::string>(chart.variables["subtitle_text"])) + 40,
                  1.4 * text_width(std::get<std::string>(chart.variables["title_text"])) + 40,
                  0.9 * text_width(std::get<std::string>(chart.variables["note_text"])) + 40, x});
    Canvas{std::max(wide, texts), 104 + rows * (panel_height + tier_gap_y) + 64, 70, 20, 104, 60}.tell(
        chart.variables);
    chart.variables["panels"] = static_cast<double>(count());
    chart.variables["columns"] = static_cast<double>(columns);
    chart.variables["panel_width"] = panel_width;
    chart.variables["panel_height"] = panel_height;
    chart.variables["step_x"] = panel_width + tier_gap_x;
    chart.variables["step_y"] = panel_height + tier_gap_y;
    chart.variables["series"] = static_cast<double>(legend.size());
    chart.variables["vendor_by_series"] = lines_are_tiers ? 1.0 : 0.0;
    chart.variables["least_x"] = *xs_.begin();
    chart.variables["most_x"] = *xs_.rbegin();
    chart.variables["least"] = least_ / 1.15;
    chart.variables["most"] = most_ * 1.15;
    chart.variables["x_text"] = x_text;
    std::string ticks;
    for (auto at = xs_.begin(); at != xs_.end(); ++at) {
      if (std::next(at) != xs_.end() && *std::next(at) < 1.4 * *at)
        continue;  // its label would run into the next
      ticks += fmt::format("{}\"{}\" {}", ticks.empty() ? "" : ", ", tick(*at), *at);
    }
    chart.variables["xtics_source"] = ticks;
    chart.variables["ytics_source"] = y_ticks();
    chart.table = table_;
  }

 private:
  // 1, 2 and 5 of each decade; less where there are many decades.
  std::string y_ticks() const {
    const bool few = most_ / least_ < 5000;
    std::string ticks;
    for (double decade = std::pow(10, std::floor(std::log10(least_))); decade <= most_ * 1.15; decade *= 10) {
      for (const double step : {1.0, 2.0, 5.0}) {
        if (step > 1 && !few) continue;
        ticks += fmt::format("{}{:g}", ticks.empty() ? "" : ", ", step * decade);
      }
    }
    return ticks;
  }

  Table table_{{"panel", "title", "series", "tier", "what", "way", "order", "access_bytes", "threads", "smt",
                "x", "value", "lo", "hi", "n", "vendor"}};
  std::string title_;
  int panel_ = -1;
  bool began_ = false, claimed_ = false;
  double least_ = HUGE_VAL, most_ = 0;
  std::set<double> xs_;
};

std::vector<const TierFigure*> ok_of(const Recorded& recorded, int cluster) {
  std::vector<const TierFigure*> figures;
  for (const TierFigure& figure : recorded.tiers) {
    if (figure.asked.cluster == cluster && figure.status == model::Status::ok && figure.source.empty())
      figures.push_back(&figure);
  }
  return figures;
}

std::vector<std::string> tiers_of(const std::vector<const TierFigure*>& figures) {
  std::vector<std::string> tiers;
  for (const TierFigure* figure : figures) {
    if (std::ranges::find(tiers, figure->asked.tier) == tiers.end()) tiers.push_back(figure->asked.tier);
  }
  return tiers;
}

std::string conditions(const std::vector<const TierFigure*>& drawn) {
  std::set<std::string> isas;
  for (const TierFigure* figure : drawn) isas.insert(figure->kernel.substr(figure->kernel.rfind('_') + 1));
  return list_text({isas.begin(), isas.end()});
}

void tell_note(Chart& chart, const Panels& panels, const std::string& more) {
  chart.variables["note_text"] = "Bars: 95 % confidence intervals." + more +
                                 (panels.claimed() ? " Dashed: what the vendor claims." : "");
}

std::string size_tick(double bytes) {
  return bytes < 1024 ? fmt::format("{:g}", bytes) : fmt::format("{:g}K", bytes / 1024);
}

std::string count_tick(double count) {
  return fmt::format("{:g}", count);
}

}  // namespace

Chart writes_chart(const Recorded& recorded, int cluster, const std::string& way) {
  Chart chart{fmt::format("writes-{}-{}", way, cluster), "tiers.gp", Table({}), {}, {}};
  std::vector<const TierFigure*> drawn = ok_of(recorded, cluster);
  std::erase_if(drawn,
                [&](const TierFigure* f) { return f->asked.access_bytes == 0 || f->asked.way != way; });
  if (drawn.empty()) {
    chart.omitted = "no writes in blocks were measured";
    return chart;
  }
  std::ranges::stable_sort(drawn, {}, [](const TierFigure* f) { return f->asked.access_bytes; });
  std::set<std::pair<bool, int>> threads;
  for (const TierFigure* figure : drawn) threads.insert({figure->asked.smt, figure->asked.threads});
  const std::vector<std::string> tiers = tiers_of(ok_of(recorded, cluster));
  Panels panels;
  for (const char* order : {"sequential", "random"}) {
    for (const std::string& tier : tiers) {
      panels.begin(fmt::format("{}, {} blocks", tier, order));
      for (const TierFigure* f : drawn) {
        if (f->asked.order != order || f->asked.tier != tier) continue;
        const auto series = threads.find({f->asked.smt, f->asked.threads});
        panels.add(static_cast<std::size_t>(std::distance(threads.begin(), series)),
                   static_cast<double>(f->asked.access_bytes), *f);
      }
    }
  }
  std::vector<std::string> legend;
  for (const auto& [smt, count] : threads)
    legend.push_back(count_text(count, "thread") + (smt ? ", SMT" : ""));
  set_titles(chart.variables, recorded, fmt::format("Writes by {}", way_text(way)), cluster,
             conditions(drawn));
  tell_note(chart, panels,
            way == "store" ? "" : " Each block is in the memory's hands before the next one begins.");
  panels.lay_out(chart, static_cast<int>(std::min<std::size_t>(4, tiers.size())), legend, "bytes of a block",
                 size_tick, false);
  return chart;
}

Chart tier_threads_chart(const Recorded& recorded, int cluster) {
  Chart chart{fmt::format("tier-threads-{}", cluster), "tiers.gp", Table({}), {}, {}};
  std::vector<const TierFigure*> drawn = ok_of(recorded, cluster);
  std::erase_if(drawn, [&](const TierFigure* f) {
    return f->asked.access_bytes > 0 || f->asked.smt || f->asked.what == "latency";
  });
  std::set<int> counts;
  for (const TierFigure* figure : drawn) counts.insert(figure->asked.threads);
  if (counts.size() < 2) {
    chart.omitted = "the tiers' bandwidths were not measured with several numbers of threads";
    return chart;
  }
  std::ranges::stable_sort(drawn, {}, [](const TierFigure* f) { return f->asked.threads; });
  const std::vector<std::string> tiers = tiers_of(ok_of(recorded, cluster));
  Panels panels;
  std::vector<std::string> benches;
  for (const TierFigure* figure : drawn) {
    const std::string bench = describe(figure->asked);
    if (std::ranges::find(benches, bench) == benches.end()) benches.push_back(bench);
  }
  for (const std::string& bench : benches) {
    panels.begin(bench);
    for (const TierFigure* f : drawn) {
      if (describe(f->asked) != bench) continue;
      const auto series = std::ranges::find(tiers, f->asked.tier);
      panels.add(static_cast<std::size_t>(std::distance(tiers.begin(), series)), f->asked.threads, *f);
    }
  }
  set_titles(chart.variables, recorded, "Bandwidth of tiers by threads", cluster, conditions(drawn));
  tell_note(chart, panels, "");
  panels.lay_out(chart, 4, tiers, "threads", count_tick, true);
  return chart;
}

}  // namespace gable::cli
