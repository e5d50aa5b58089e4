#include "model/c2c/classes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"

namespace gable::model {

namespace {

constexpr double second_ns = 1e9, million = 1e6;

// The figures of the repetitions, in the unit of the measure.
std::vector<double> figures_of_visit(const C2cSample& sample) {
  const bool is_time = row_of(sample.spec.measure).is_time;
  std::vector<double> values;
  for (std::size_t r = 0; r < sample.seconds.size(); ++r)
    values.push_back(is_time ? sample.seconds[r] * second_ns / sample.work[r]
                             : sample.work[r] / sample.seconds[r] / million);
  return values;
}

using ClassKey = std::tuple<PairClass, C2cMeasure, Home>;

ClassKey class_key(const C2cFigure& figure) {
  return {figure.spec.between, figure.spec.measure, figure.spec.home};
}

using Grouped = std::map<ClassKey, std::vector<const C2cFigure*>>;

Grouped by_class(const std::vector<C2cFigure>& figures) {
  Grouped groups;
  for (const C2cFigure& figure : figures)
    if (figure.status == Status::ok && row_of(figure.spec.measure).of_pairs)
      groups[class_key(figure)].push_back(&figure);
  return groups;
}

std::vector<double> values_of(const std::vector<const C2cFigure*>& figures) {
  return each_of(figures, [](const C2cFigure* figure) { return figure->estimate.value; });
}

std::set<unsigned> pair_of(const C2cFigure& figure) {
  return {figure.spec.pus.begin(), figure.spec.pus.end()};
}

// Both directions of one pair are no sample of the pairs of its class. `values`: those of the figures.
Estimate estimate_of(const std::vector<const C2cFigure*>& figures, const std::vector<double>& values) {
  const auto pair = pair_of(*figures.front());
  if (!std::ranges::all_of(figures, [&](const C2cFigure* figure) { return pair_of(*figure) == pair; }))
    return estimate_median(values);
  Estimate both = figures.front()->estimate;
  both.value = median(values);
  for (const C2cFigure* figure : figures) {
    both.lo = std::min(both.lo, figure->estimate.lo);
    both.hi = std::max(both.hi, figure->estimate.hi);
  }
  return both;
}

std::pair<double, double> interval_of(const std::vector<double>& values) {
  constexpr double deviations = 6, least_share = 0.1;
  const double middle = median(values);
  const auto away = each_of(values, [&](double value) { return std::abs(value - middle); });
  const double width = std::max(deviations * median(away), least_share * middle);
  return {middle - width, middle + width};
}

// How far outside of the interval, relative to it.
double excess(const C2cOutlier& outlier) {
  const double value = outlier.figure.estimate.value;
  return value > outlier.hi ? value / outlier.hi : outlier.lo / value;
}

bool is_between_clusters(const PairClass& between) {
  return between.relation > Relation::node;
}

std::optional<Estimate> of_classes(const std::vector<C2cClassFigure>& classes, bool between_clusters) {
  std::vector<double> values;
  Estimate all;
  for (const C2cClassFigure& each : classes) {
    const bool counts = each.measure == C2cMeasure::handoff && each.between.relation != Relation::core &&
                        is_between_clusters(each.between) == between_clusters && is_at_first(each.home);
    if (!counts) continue;
    all.lo = values.empty() ? each.estimate.lo : std::min(all.lo, each.estimate.lo);
    all.hi = std::max(all.hi, each.estimate.hi);
    all.n += each.estimate.n;
    values.push_back(each.estimate.value);
  }
  if (values.empty()) return std::nullopt;
  all.value = median(values);
  return all;
}

}  // namespace

double fairness_index(const std::vector<double>& shares) {
  double sum = 0, squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : 0;
}

std::vector<C2cFigure> c2c_figures(const std::vector<C2cSample>& samples) {
  struct Visits {
    std::vector<std::vector<double>> values;
    std::vector<double> fairness;
  };
  std::vector<C2cFigure> figures;
  std::vector<Visits> visits;
  std::map<std::string, std::size_t> places;
  for (const C2cSample& sample : samples) {
    const auto [entry, is_new] = places.try_emplace(key(sample.spec), figures.size());
    if (is_new) {
      figures.push_back({sample.spec, sample.status, sample.reason, {}});
      visits.emplace_back();
    }
    if (sample.status != Status::ok) continue;
    visits[entry->second].values.push_back(figures_of_visit(sample));
    if (!sample.by_threads.empty())
      visits[entry->second].fairness.push_back(fairness_index(sample.by_threads));
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (visits[i].values.empty()) continue;
    figures[i].status = Status::ok;
    figures[i].reason = {};
    figures[i].estimate = estimate(visits[i].values);
    figures[i].visits = static_cast<int>(visits[i].values.size());
    if (!visits[i].fairness.empty()) figures[i].fairness = median(visits[i].fairness);
  }
  return figures;
}

std::vector<C2cOutlier> c2c_outliers(const std::vector<C2cFigure>& figures) {
  constexpr std::size_t least_pairs = 4;
  std::vector<C2cOutlier> outliers;
  for (const auto& [what, members] : by_class(figures)) {
    if (std::get<C2cMeasure>(what) != C2cMeasure::handoff || members.size() < least_pairs) continue;
    const auto [lo, hi] = interval_of(values_of(members));
    for (const C2cFigure* figure : members)
      if (figure->estimate.value < lo || figure->estimate.value > hi) outliers.push_back({*figure, lo, hi});
  }
  sort_down_by(outliers, excess);
  return outliers;
}

std::vector<C2cCase> c2c_differing(const std::vector<C2cSample>& samples) {
  return each_of(c2c_outliers(c2c_figures(samples)),
                 [](const C2cOutlier& outlier) { return outlier.figure.spec; });
}

std::vector<C2cClassFigure> c2c_classes(const std::vector<C2cFigure>& figures) {
  std::set<std::set<unsigned>> outside;
  for (const C2cOutlier& outlier : c2c_outliers(figures)) outside.insert(pair_of(outlier.figure));
  std::vector<C2cClassFigure> classes;
  for (auto [what, members] : by_class(figures)) {
    std::erase_if(members, [&](const C2cFigure* figure) { return outside.contains(pair_of(*figure)); });
    if (members.empty()) continue;
    const std::vector<double> values = values_of(members);
    const auto [least, most] = std::ranges::minmax(values);
    C2cClassFigure figure{
        std::get<PairClass>(what),       std::get<C2cMeasure>(what), std::get<Home>(what), {}, least, most,
        static_cast<int>(members.size())};
    figure.estimate = estimate_of(members, values);
    figure.estimate.n = 0;
    for (const C2cFigure* member : members) {
      figure.estimate.n += member->estimate.n;
      figure.visits = std::max(figure.visits, member->visits);
    }
    classes.push_back(figure);
  }
  return classes;
}

std::string words_of(const C2cOutlier& outlier) {
  const C2cCase& spec = outlier.figure.spec;
  return fmt::format("CPU {}: {:.0f} ns; {}: {:.0f} to {:.0f}", fmt::join(spec.pus, " and "),
                     outlier.figure.estimate.value, name_of(spec.between), outlier.lo, outlier.hi);
}

std::vector<std::vector<double>> c2c_matrix(const std::vector<C2cFigure>& figures, C2cMeasure measure,
                                            const std::vector<PuGroup>& groups) {
  std::map<unsigned, std::size_t> group_of;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const unsigned pu : groups[g]) group_of[pu] = g;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> values;
  for (const C2cFigure& figure : figures) {
    const C2cCase& spec = figure.spec;
    if (spec.measure != measure || figure.status != Status::ok || !is_at_first(spec.home)) continue;
    const auto from = group_of.find(spec.pus.front()), to = group_of.find(spec.pus.back());
    if (from == group_of.end() || to == group_of.end()) continue;
    values[{from->second, to->second}].push_back(figure.estimate.value);
    if (!row_of(measure).has_direction && from->second != to->second)
      values[{to->second, from->second}].push_back(figure.estimate.value);
  }
  std::vector<std::vector<double>> matrix(
      groups.size(), std::vector<double>(groups.size(), std::numeric_limits<double>::quiet_NaN()));
  for (auto& [place, of_pair] : values) matrix[place.first][place.second] = median(std::move(of_pair));
  return matrix;
}

void add_changed_lines(const std::vector<C2cClassFigure>& classes, Roofs& roofs) {
  roofs.line_in_cluster = of_classes(classes, false);
  roofs.line_between_clusters = of_classes(classes, true);
}

std::optional<Estimate> changed_line(const Roofs& roofs, int cluster, int clusters) {
  const auto &own = roofs.line_in_cluster, &other = roofs.line_between_clusters;
  if (cluster >= 0 || !other) return own;
  if (!own) return other;
  const double part = 1.0 / std::max(1, clusters);
  return Estimate{part * own->value + (1 - part) * other->value, own->lo, other->hi, own->n + other->n};
}

}  // namespace gable::model
