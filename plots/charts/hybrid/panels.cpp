#include "plots/charts/hybrid/panels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/hybrid/interleave.hpp"
#include "model/hybrid/phases.hpp"

namespace gable::charts {

using model::HybridPair;
using model::Law;
using model::Quantities;
using model::Transfer;

namespace {

constexpr double same_ratio = 1.0;  // percent of loads; smaller differences count as equal

// Loads and stores with the same split between the memories, as in the grid.
Quantities mix(double load_percent, double fast_percent) {
  const double load = load_percent / 100, fast = fast_percent / 100;
  Quantities bytes = {};
  bytes[Transfer::ls] = load * (1 - fast);
  bytes[Transfer::ss] = (1 - load) * (1 - fast);
  bytes[Transfer::lf] = load * fast;
  bytes[Transfer::sf] = (1 - load) * fast;
  return bytes;
}

double fast_percent_of(const model::Cell& cell) {
  return 100 * (cell.bytes[Transfer::lf] + cell.bytes[Transfer::sf]) / model::total(cell.bytes);
}

}  // namespace

HybridPanels::HybridPanels(const HybridPair& pair) : pair_(pair) {
  if (!pair.interleaved.empty()) interleaved_ = model::interleave_fit(pair);
}

double load_percent_of(const model::Cell& cell) {
  return 100 * model::share_of_loads(cell.bytes);
}

std::string pair_chart_name(const std::string& kind, const HybridPair& pair) {
  return fmt::format("{}{}-{}-{}-{}", kind, pair.all_clusters ? "-all" : "", pair.cluster, pair.slow.node,
                     pair.fast.node);
}

std::string pair_text(const HybridPair& pair) {
  return fmt::format("fast: {} node {}, slow: {} node {}{}", name_of(pair.fast.tier), pair.fast.node,
                     name_of(pair.slow.tier), pair.slow.node, pair.all_clusters ? "; all clusters busy" : "");
}

std::vector<double> ratios_of(const HybridPair& pair) {
  std::vector<double> ratios = each_of(pair.cells, load_percent_of);
  if (pair.cells.empty()) ratios = {100, 75, 50, 25, 0};
  std::sort(ratios.rbegin(), ratios.rend());
  const auto alike = [](double a, double b) { return a - b < same_ratio; };
  ratios.erase(std::unique(ratios.begin(), ratios.end(), alike), ratios.end());
  return ratios;
}

std::string ratio_text(double load_percent) {
  if (load_percent > 99.95) return "loads only";
  if (load_percent < 0.05) return "stores only";
  return fmt::format("{:.0f} % loads, {:.0f} % stores", load_percent, 100 - load_percent);
}

void HybridPanels::add_row(const char* series, const Datum& datum) {
  table_.add(count(), panel_.title, load_percent_, datum.x, series, datum.y, datum.lo, datum.hi);
  panel_.series[series].push_back(datum);
}

void HybridPanels::add_limits() {
  for (int fast = 0; fast <= 100; ++fast) {
    const auto prediction = model::predict(pair_.fit, Law::equation5, mix(load_percent_, fast));
    if (!prediction.t_min || !prediction.t_max) continue;
    add_row("limits", {static_cast<double>(fast), NAN, 1e-9 / *prediction.t_max, 1e-9 / *prediction.t_min});
    most_ = std::max(most_, 1e-9 / *prediction.t_min);
  }
}

// The longest range without gaps in a model's values: a line must not bridge a gap.
void HybridPanels::add_line(const char* series,
                            const std::function<model::Prediction(double fast_percent)>& predicted) {
  std::vector<std::optional<double>> seconds;
  for (int fast = 0; fast <= 100; ++fast) {
    const model::Prediction prediction = predicted(fast);
    seconds.push_back(prediction.seconds);
    if (!prediction.seconds && prediction.t_min) add_once(gaps_, prediction.reason);
  }
  std::size_t first = 0, length = 0, begin = 0;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (!seconds[i] || *seconds[i] <= 0) begin = i + 1;
    if (i + 1 - begin > length && i >= begin) {
      first = begin;
      length = i + 1 - begin;
    }
  }
  if (length < 2) return;  // one memory alone needs no model
  for (std::size_t i = first; i < first + length; ++i) {
    const double gb_per_s = 1e-9 / *seconds[i];
    add_row(series, {static_cast<double>(i), gb_per_s, gb_per_s, gb_per_s});
    most_ = std::max(most_, gb_per_s);
  }
}

void HybridPanels::add_models() {
  for (const Law law : model::laws) {
    add_line(name_of(law),
             [&](double fast) { return model::predict(pair_.fit, law, mix(load_percent_, fast)); });
  }
}

// The cells with this panel's ratio.
void HybridPanels::add_cells(const char* series, std::vector<model::Cell> cells) {
  std::erase_if(cells, [&](const model::Cell& cell) {
    return std::abs(load_percent_of(cell) - load_percent_) >= same_ratio;
  });
  sort_with(cells, [](const model::Cell& a, const model::Cell& b) {
    return fast_percent_of(a) < fast_percent_of(b);
  });
  for (const model::Cell& cell : cells) {
    const double gigabytes = model::total(cell.bytes) / 1e9;
    const double hi = gigabytes / (cell.seconds.lo > 0 ? cell.seconds.lo : cell.seconds.value);
    add_row(series, {fast_percent_of(cell), gigabytes / cell.seconds.value, gigabytes / cell.seconds.hi, hi});
    most_of_cells_ = std::max(most_of_cells_, gigabytes / cell.seconds.value);
    most_ = std::max(most_, most_of_cells_);
    most_of_intervals_ = std::max(most_of_intervals_, hi);
    table_.set("n", cell.seconds.n);
  }
}

// Pages N:M, with equation 5 fitted to all such cells.
void HybridPanels::add_interleaved() {
  for (const model::InterleavedCell& it : pair_.interleaved) {
    const std::size_t before = table_.rows();
    add_cells("interleaved", {it.cell});
    if (table_.rows() > before) table_.set("interleave", fmt::format("{}:{}", it.slow, it.fast));
  }
  if (pair_.interleaved.empty()) return;
  add_line("interleaved_equation5", [&](double fast) {
    return model::predict(interleaved_, Law::equation5, mix(load_percent_, fast), model::Layout::weighted);
  });
}

void HybridPanels::add(const std::string& title, double load_percent,
                       const std::vector<model::Cell>& application) {
  panel_ = {title, {}};
  load_percent_ = load_percent;
  add_limits();
  add_models();
  add_cells("benchmark", pair_.cells);
  add_cells("application", application);
  if (application.empty()) add_interleaved();
  if (!panel_.series.empty()) panels_.push_back(std::move(panel_));
}

}  // namespace gable::charts
