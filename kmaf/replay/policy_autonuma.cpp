// A model of the kernel's NUMA balancing, from its documentation and not its code. Pages are hidden at the
// rate of its scanner. A page moves to the node of the faulting thread if the previous fault came from that
// node too. A thread prefers the node with most of the pages on which it faulted, and is exchanged with a
// thread there that loses nothing.

#include <algorithm>

#include "base/numbers.hpp"
#include "kmaf/replay/policies.hpp"

namespace gable::kmaf {

namespace {

// Defaults of the kernel: scan_size 256 MiB, scan_delay and scan_period_min 1 s.
constexpr double pages_per_second = 65536, scan_delay = 1, placement_period = 1;

class AutoNuma : public Policy {
 public:
  explicit AutoNuma(const World& world)
      : Policy(world),
        last_node_(world.placement.home.size(), -1),
        faults_(index(world.trace.threads()), std::vector<double>(world.machine.hierarchy.nodes.size())) {}

  void fault(Record record, double, bool first_touch) override {
    if (first_touch) return;
    const int thread = record.thread, node = node_of(thread);
    const std::uint64_t page = record.page;
    ++counts_.samples;
    counts_.overhead.faults += world_.options.costs.fault;
    world_.owed[index(thread)] += world_.options.costs.fault;
    if (last_node_[page] == node && world_.placement.home[page] != node) move_page(page, node, thread);
    last_node_[page] = static_cast<std::int16_t>(node);
    faults_[index(thread)][index(world_.placement.home[page])] += 1;
  }

  void advance(double seconds, double interval) override {
    swap_now_and_then(interval);
    if (seconds < scan_delay) return;
    hide(pages_per_second * interval, seconds);
    if (seconds < next_placement_) return;
    next_placement_ = seconds + placement_period;
    for (int thread = 0; thread < world_.trace.threads(); ++thread) prefer(thread);
    for (auto& of_thread : faults_) {
      for (double& count : of_thread) count /= 2;
    }
  }

 private:
  double gain(int thread, int to) const {
    return faults_[index(thread)][index(to)] - faults_[index(thread)][index(node_of(thread))];
  }

  void prefer(int thread) {
    const auto& mine = faults_[index(thread)];
    if (world_.placement.leaf[index(thread)] < 0) return;
    const int wanted = static_cast<int>(std::ranges::max_element(mine) - mine.begin());
    if (wanted == node_of(thread) || gain(thread, wanted) <= 0) return;
    for (int other = 0; other < world_.trace.threads(); ++other) {
      if (world_.placement.leaf[index(other)] < 0 || node_of(other) != wanted) continue;
      if (gain(other, node_of(thread)) < 0) continue;
      const int mine_leaf = world_.placement.leaf[index(thread)];
      move_thread(thread, world_.placement.leaf[index(other)]);
      move_thread(other, mine_leaf);
      return;
    }
  }

  std::vector<std::int16_t> last_node_;
  std::vector<std::vector<double>> faults_;
  double next_placement_ = scan_delay + placement_period;
};

}  // namespace

std::unique_ptr<Policy> make_autonuma(const Policy::World& world) {
  return std::make_unique<AutoNuma>(world);
}

}  // namespace gable::kmaf
