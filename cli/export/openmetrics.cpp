#include "cli/export/openmetrics.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/c2c/classes.hpp"
#include "model/roofs/best.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

namespace {

using model::Case;
using model::Kind;
using model::Roof;

using Labels = std::vector<std::pair<std::string, std::string>>;

constexpr double ns = 1e-9, giga = 1e9, million = 1e6;

// Quotes, backslashes and line ends as the format requires.
std::string escaped_label(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\n') {
      out += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

// The families in the order of their first figure.
class MetricsText {
 public:
  explicit MetricsText(std::string machine) : machine_(std::move(machine)) {}

  /// One sample of a gauge. The same labels are not repeated.
  void add(const std::string& name, const std::string& unit, const std::string& help, const Labels& labels,
           double value) {
    std::string text = fmt::format("machine=\"{}\"", escaped_label(machine_));
    for (const auto& [label, content] : labels)
      if (!content.empty()) text += fmt::format(",{}=\"{}\"", label, escaped_label(content));
    const std::string family = unit.empty() ? name : name + "_" + unit;
    if (!seen_.insert(family + text).second) return;
    const auto [place, is_new] = places_.try_emplace(family, texts_.size());
    if (is_new) {
      texts_.push_back(fmt::format("# TYPE {} gauge\n", family));
      if (!unit.empty()) texts_.back() += fmt::format("# UNIT {} {}\n", family, unit);
      texts_.back() += fmt::format("# HELP {} {}\n", family, help);
    }
    texts_[place->second] += fmt::format("{}{{{}}} {}\n", family, text, value);
  }

  /// A figure and the ends of its 95 % interval, if it has one.
  void add_figure(const std::string& name, const std::string& unit, const std::string& help,
                  const Labels& labels, const model::Estimate& figure, double factor, bool has_interval) {
    add(name, unit, help + ".", labels, figure.value * factor);
    if (!has_interval) return;
    add(name + "_low", unit, help + ": lower end of the 95 % interval.", labels, figure.lo * factor);
    add(name + "_high", unit, help + ": upper end of the 95 % interval.", labels, figure.hi * factor);
  }

  std::string text() const {
    std::string all;
    for (const std::string& family : texts_) all += family;
    return all + "# EOF\n";
  }

 private:
  std::string machine_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> texts_;
  std::set<std::string> seen_;
};

struct RoofFamily {
  Kind kind;
  const char *name, *unit, *help;
  double factor;
};
constexpr RoofFamily families[] = {
    {Kind::bandwidth, "gable_bandwidth", "bytes_per_second", "Bandwidth of a cluster's threads", giga},
    {Kind::flops, "gable_peak", "flops_per_second", "Peak of a cluster's threads in registers", giga},
    {Kind::latency, "gable_latency", "seconds", "Idle latency of dependent loads", ns},
    {Kind::loaded_latency, "gable_loaded_latency", "seconds", "Latency while other cores load memory", ns},
    {Kind::random, "gable_random", "lines_per_second", "Loads of lines at random addresses", million},
    {Kind::branch, "gable_branch", "seconds", "Conditional branches of one thread", ns},
};

Labels labels_of(const Case& spec) {
  return {{"cluster", std::to_string(spec.cluster)},
          {"node", spec.node < 0 ? "" : std::to_string(spec.node)},
          {"tier", name_of(spec.tier)},
          {"level", spec.level.name()},
          {"pattern", name_of(spec.pattern)},
          {"op", spec.op.name()},
          {"precision", name_of(spec.precision)},
          // Elsewhere the best number of threads counts, which may change from run to run.
          {"threads", spec.kind == Kind::random ? std::to_string(spec.threads) : ""},
          {"load_percent", has_load(spec.kind) ? std::to_string(spec.load_percent) : ""}};
}

void add_roofs(const std::vector<Roof>& roofs, MetricsText& metrics) {
  for (const RoofFamily& family : families) {
    const auto wanted = [&](const Roof& roof) { return roof.spec.kind == family.kind; };
    for (const Roof& roof : model::best_of_each(roofs, wanted)) {
      if (roof.status != model::Status::ok) continue;
      metrics.add_figure(family.name, family.unit, family.help, labels_of(roof.spec),
                         {roof.value, roof.lo, roof.hi, roof.n}, family.factor, model::is_95_interval(roof));
    }
  }
}

bool has_ends(const model::Estimate& estimate) {
  return estimate.lo < estimate.hi;
}

void add_c2c(const std::vector<model::C2cFigure>& figures, MetricsText& metrics) {
  if (figures.empty()) return;
  for (const model::C2cClassFigure& each : model::c2c_classes(figures)) {
    const Labels labels = {{"class", name_of(each.between)},
                           {"relation", name_of(each.between.relation)},
                           {"measure", name_of(each.measure)},
                           {"home", name_of(each.home)}};
    metrics.add_figure("gable_c2c", "seconds", "Time of a line between cores, by class of pairs", labels,
                       each.estimate, ns, has_ends(each.estimate));
  }
  for (const model::C2cFigure& each : figures) {
    if (row_of(each.spec.measure).of_pairs || each.status != model::Status::ok) continue;
    const Labels labels = {{"measure", name_of(each.spec.measure)},
                           {"threads", std::to_string(each.spec.pus.size())}};
    metrics.add_figure("gable_c2c_contended", "operations_per_second",
                       "Operations on one line by all threads", labels, each.estimate, million,
                       has_ends(each.estimate));
    metrics.add("gable_c2c_fairness", "", "Jain's index of the threads that contend for one line.", labels,
                each.fairness);
  }
  metrics.add("gable_c2c_differing_pairs", "", "Pairs of cores that differ from their class.", {},
              static_cast<double>(model::c2c_outliers(figures).size()));
}

}  // namespace

std::string openmetrics_of(const ShownFolder& shown) {
  MetricsText metrics(shown.name);
  add_roofs(shown.roofs.roofs, metrics);
  add_c2c(shown.c2c, metrics);
  return metrics.text();
}

}  // namespace gable::cli
