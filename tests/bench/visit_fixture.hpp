#pragma once

// The tests of visits share these: a bench on this host, and the condition for judging its samples.

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "bench/visit/visit.hpp"
#include "machines.hpp"

namespace gable::bench::tests {

inline Options tiny_options(std::vector<std::string> only, const std::string& isa = "") {
  Options options;
  options.preset = &tiny;
  options.pages = {*gable::model::pages_named("4k")};
  options.only = std::move(only);
  options.isa = isa;
  return options;
}

inline double wide(const std::vector<double>&) {
  return 1;
}

/// A bench on this host, and the objects that must outlive it.
struct Fixture {
  explicit Fixture(Options chosen, machines::Host described = {})
      : options(std::move(chosen)), host(std::move(described)) {}
  std::vector<model::Sample> visit(const Run& run) { return bench.visit(run, 3); }
  Plan plan() const { return make_plan(machine, {}, options); }

  machines::Machine machine = machines::this_machine();
  Options options;
  machines::Host host;
  std::atomic<bool> stop{false};
  Bench bench{machine, host, options, wide, stop};
};

// A busy machine may invalidate a figure, but only for these reasons.
inline bool usable(const model::Sample& sample) {
  if (sample.status == model::Status::ok) return true;
  EXPECT_TRUE(sample.reason.code == model::NoteCode::others_busy ||
              sample.reason.code == model::NoteCode::stalled)
      << sentence(sample.reason);
  return false;
}

}  // namespace gable::bench::tests
