// kMAF in the simulated machine: the same engine and rate controller as in a live run, fed by simulated page
// faults.

#include <utility>

#include "base/numbers.hpp"
#include "kmaf/engine/rate.hpp"
#include "kmaf/replay/policies.hpp"

namespace gable::kmaf {

namespace {

class Kmaf : public Policy {
 public:
  Kmaf(const World& world, bool threads, bool pages, bool trials)
      : Policy(world),
        maps_threads_(threads),
        engine_(config_of(world.options.config, threads, pages, trials), world.machine.hierarchy),
        rate_({10, 1e6, world.options.budget, world.options.costs.fault}, world.trace.threads()),
        ran_(index(world.trace.threads())) {}

  void fault(Record record, double seconds, bool first_touch) override {
    const int thread = record.thread;
    const std::uint64_t page = record.page;
    const int home = world_.placement.home[page];
    if (first_touch) {
      engine_.resident(4096.0 * static_cast<double>(++pages_));
    } else {
      ++counts_.samples;
      ++interval_.samples;
      ++interval_.looked_at;
      interval_.remote += home != node_of(thread) ? 1 : 0;
      counts_.overhead.faults += world_.options.costs.fault;
      world_.owed[index(thread)] += world_.options.costs.fault;
    }
    const Leaf& leaf = world_.machine.hierarchy.leaves[index(world_.placement.leaf[index(thread)])];
    engine_.sample({thread, 0, page << 12 | std::uint64_t{record.line} << 6, leaf.pu, seconds, home});
    carry_out(thread);
  }

  void advance(double seconds, double interval) override {
    if (!maps_threads_ || !engine_.mapped()) swap_now_and_then(interval);
    for (std::size_t thread = 0; thread < ran_.size(); ++thread) {
      const double ran = world_.ran[thread] - std::exchange(ran_[thread], world_.ran[thread]);
      engine_.ran(static_cast<Tasks::Id>(thread), ran);
      interval_.cpu_seconds += ran;
    }
    const int calculated = engine_.counts().mappings_calculated;
    engine_.advance(seconds);
    if (engine_.counts().mappings_calculated != calculated) pay_for_mapping();
    carry_out(0);
    interval_.seconds += interval;
    if (interval_.seconds >= world_.options.config.period_seconds) adapt();
    hide(rate_.per_second() * interval, seconds);
  }

  void progressed(double work, double seconds) override {
    engine_.progressed(work, seconds);
    carry_out(0);
  }
  Trials trials() const override { return engine_.trials(); }

 private:
  static Config config_of(Config config, bool threads, bool pages, bool trials) {
    config.trials = trials;
    config.trial_reports = 3;  // each is the mean of a pass
    config.map_threads = threads;
    config.move_pages = pages;
    return config;
  }

  void carry_out(int payer) {
    if (!engine_.has_actions()) return;
    for (const Action& action : engine_.take_actions()) {
      ++interval_.moves;
      if (const auto* page = std::get_if<MovePage>(&action)) {
        move_page(page->page.index, page->to, payer);
      } else {
        const auto& task = std::get<MoveTask>(action);
        move_thread(static_cast<int>(task.task), world_.machine.hierarchy.leaf_of_pu(task.pu).value());
      }
    }
  }

  // The calculation takes the hardware thread of one random thread.
  void pay_for_mapping() {
    const double cost = world_.options.costs.mapping_of_thread * world_.trace.threads();
    counts_.overhead.mapping += cost;
    std::vector<std::size_t> running;  // a running thread pays the cost
    for (std::size_t thread = 0; thread < world_.owed.size(); ++thread) {
      if (world_.placement.leaf[thread] >= 0) running.push_back(thread);
    }
    if (!running.empty()) world_.owed[running[world_.random() % running.size()]] += cost;
  }

  void adapt() {
    interval_.spent_seconds = counts_.overhead.sum() - spent_;
    spent_ = counts_.overhead.sum();
    rate_.observe(interval_);
    interval_ = {};
  }

  bool maps_threads_;
  Engine engine_;
  RateController rate_;
  Interval interval_;
  double spent_ = 0;
  std::uint64_t pages_ = 0;  // touched so far
  std::vector<double> ran_;  // what the engine knows
};

}  // namespace

std::unique_ptr<Policy> make_kmaf(const Policy::World& world, bool threads, bool pages, bool trials) {
  return std::make_unique<Kmaf>(world, threads, pages, trials);
}

}  // namespace gable::kmaf
