#include "model/predict/needs/changed_lines.hpp"

#include <algorithm>
#include <cmath>

#include "model/c2c/classes.hpp"
#include "model/points/needs/measured.hpp"
#include "model/points/needs/stalls/waited.hpp"
#include "model/points/needs/stalls/window.hpp"
#include "model/points/threads.hpp"
#include "model/predict/parameters.hpp"
#include "model/records/profile.hpp"

namespace gable::model {
namespace {

double middle(const MeasuredRange& range) {
  return range.value > 0 ? range.value : (range.lo + range.hi) / 2;
}

// Loads of lines that a core has under way at once if it has found their addresses.
double under_way(const Roofs& roofs, const Point& point, int cluster, int threads) {
  const auto rate = random_rate(roofs, point, cluster, Level::memory());
  const auto latency = latency_of(roofs, point, cluster, Level::memory());
  if (!rate || !latency) return most_at_once;
  return std::max(1.0, middle(*rate) * 1e6 * middle(*latency) * 1e-9 / threads);
}

bool has_changed_lines(const LevelBytes& level) {
  return level.from_cores > 0;
}

// Lines of all threads for which a thread waits, one after the other.
struct Lines {
  double likely = 0, least = 0, most = 0;
};

Lines lines_of(const Point& point, const Window& window, double at_once) {
  const double least_of_chained = PredictParameters().least_of_changed_line;
  Lines lines;
  for (std::size_t i = 0; i < point.levels.size(); ++i) {
    const LevelBytes& level = point.levels[i];
    if (!has_changed_lines(level)) continue;
    const double part = level.from_cores / level.read;
    const double irregular = part * level.irregular / profile_line_bytes;
    const double chained = part * level.chained / profile_line_bytes;
    const double ordered = level.from_cores / profile_line_bytes - irregular - chained;
    const auto wait = [&](double instructions, double of_chained) {
      return ordered / at_once + of_chained * chained +
             std::max(irregular / at_once, part * lines_waited_for(point, i, instructions));
    };
    lines.likely += wait(window.likely, std::sqrt(least_of_chained));
    lines.least += wait(window.most, least_of_chained);
    lines.most += wait(window.least, 1);
  }
  return lines;
}

}  // namespace

std::optional<NeedTime> changed_lines_need(const Roofs& roofs, const Point& point, int cluster) {
  if (point.threads <= 1 || std::ranges::none_of(point.levels, has_changed_lines)) return std::nullopt;
  const auto ns = changed_line(roofs, point.cluster, static_cast<int>(clusters_of(roofs).size()));
  const int threads = cores_used(roofs, point, cluster);
  const double share = cluster_share(roofs, point);
  if (!ns || threads * share < 1) return std::nullopt;
  const Lines lines = lines_of(point, window_of(roofs, cluster), under_way(roofs, point, cluster, threads));
  const double part = share / threads * 1e-9;
  const char* const name = "lines from other cores";
  return NeedTime{
      NeedTime::Group::cores,
      name,
      name,
      {ns->value * part * lines.likely, ns->lo * part * lines.likely, ns->hi * part * lines.likely,
       ns->value * part * lines.least, ns->value * part * lines.most}};
}

std::optional<NeedTime> meetings_need(const Roofs& roofs, const Point& point, double meetings) {
  const PredictParameters parameters;
  const auto ns = changed_line(roofs, point.cluster, static_cast<int>(clusters_of(roofs).size()));
  if (!ns || point.threads <= 1 || meetings <= 0) return std::nullopt;
  const double likely = meetings * 1e-9 * std::sqrt(point.threads / 2.0) * parameters.handoffs_of_meeting;
  const double least = meetings * 1e-9 * parameters.least_of_meeting;
  const double most = meetings * 1e-9 * (point.threads / 2.0) * parameters.most_of_meeting;
  const char* const name = "barriers";
  return NeedTime{
      NeedTime::Group::cores,
      name,
      name,
      {ns->value * likely, ns->lo * likely, ns->hi * likely, ns->value * least, ns->value * most}};
}

}  // namespace gable::model
