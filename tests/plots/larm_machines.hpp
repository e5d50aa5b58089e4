#pragma once

// Invented roofs for the tests of the Locality-Aware Roofline chart, and what these ask of a chart.

#include <string>

#include "plots/charts/charts.hpp"

namespace gable::charts::tests {

/// The figure of a memory of cluster 0, with an interval of less than 1 %.
inline model::Roof invented_roof(model::Kind kind, double value, int node, const std::string& tier) {
  model::Roof made;
  made.spec.kind = kind;
  made.spec.level = model::Level::memory();
  made.spec.pattern = model::Pattern::local;
  made.spec.node = node;
  made.spec.tier = *model::tiers_named(tier);
  made.spec.op = model::operations::load;
  made.spec.pages = *model::pages_named("4k");
  made.spec.kernel = "load_avx2";
  made.spec.threads = 4;
  made.value = value;
  made.lo = 0.9931 * value;
  made.hi = 1.004 * value;
  made.unit = kind == model::Kind::bandwidth ? "GB/s" : is_peak(kind) ? "GFlop/s" : "ns";
  made.n = 30;
  return made;
}

/// FMA DP of cluster 0.
inline model::Roof invented_peak(double value) {
  model::Roof made = invented_roof(model::Kind::flops, value, -1, "");
  made.spec.level = model::Level::core();
  made.spec.pattern = model::Pattern::core;
  made.spec.op = model::operations::fma;
  made.spec.precision = model::Precision::dp;
  return made;
}

inline const Panel& first_panel(const Chart& chart) {
  return chart.panels.at(0);
}

inline bool mentions(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace gable::charts::tests
