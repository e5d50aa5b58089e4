#include "kmaf/replay/policies.hpp"
#include "base/numbers.hpp"
#include "base/sorting.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gable::kmaf {

namespace {

// Threads bound in the order of the hierarchy; data by first touch.
class Compact : public Policy {
 public:
  using Policy::Policy;
  int first_leaf(int thread) override {
    return thread % static_cast<int>(world_.machine.hierarchy.leaves.size());
  }
  void advance(double, double) override {}
};

// Binds threads and places pages at random; pages may lie on any memory node.
class Random : public Policy {
 public:
  explicit Random(const World& world) : Policy(world), order_(world.machine.hierarchy.leaves.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::shuffle(order_.begin(), order_.end(), world.random);
  }
  int first_leaf(int thread) override { return order_[index(thread) % order_.size()]; }
  int first_home(std::uint64_t, int) override {
    return static_cast<int>(world_.random() % world_.machine.memories.size());
  }
  void advance(double, double) override {}

 private:
  std::vector<int> order_;
};

// Leaves threads to the OS, and places pages round-robin over all memory nodes by their address, as Linux
// does under numactl --interleave=all.
class Interleave : public Policy {
 public:
  explicit Interleave(const World& world) : Policy(world), order_(world.machine.memories.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    sort_by(order_, [&](int memory) { return world.machine.memories[index(memory)].node; });
  }
  int first_home(std::uint64_t page, int) override {
    return order_[world_.trace.page_number(page) % order_.size()];
  }

 private:
  std::vector<int> order_;
};

template <typename Kind>
std::unique_ptr<Policy> make(const Policy::World& world) {
  return std::make_unique<Kind>(world);
}

}  // namespace

std::unique_ptr<Policy> make_autonuma(const Policy::World& world);
std::unique_ptr<Policy> make_oracle(const Policy::World& world);
std::unique_ptr<Policy> make_kmaf(const Policy::World& world, bool threads, bool pages, bool trials);

template <bool threads, bool pages, bool trials>
std::unique_ptr<Policy> make_engine(const Policy::World& world) {
  return make_kmaf(world, threads, pages, trials);
}

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> entries = {
      {"os", "first touch, the scheduler's own placement", false, false, make<Policy>},
      {"compact", "threads bound in the machine's order, first touch", true, true, make<Compact>},
      {"random", "threads and pages at random", false, true, make<Random>},
      {"interleave", "pages round-robin, threads by the scheduler", false, false, make<Interleave>},
      {"autonuma", "the kernel's NUMA balancing", false, false, make_autonuma},
      {"oracle", "threads and pages placed from the whole trace", true, true, make_oracle},
      {"kmaf", "threads and pages placed by the engine", false, false, make_engine<true, true, true>},
      {"kmaf-sharing", "as kmaf without trials of places", false, false, make_engine<true, true, false>},
      {"kmaf-threads", "threads placed by the engine, first touch", false, false,
       make_engine<true, false, true>},
      {"kmaf-data", "pages placed by the engine, threads by the scheduler", false, false,
       make_engine<false, true, true>},
  };
  return entries;
}

int Policy::node_of(int thread) const {
  return world_.machine.hierarchy.leaves[index(world_.placement.leaf[index(thread)])].node;
}

int Policy::first_leaf(int) {
  const Hierarchy& hierarchy = world_.machine.hierarchy;
  std::vector<int> of_node(hierarchy.nodes.size()), of_core(index(world_.machine.cores)),
      of_leaf(hierarchy.leaves.size());
  for (const int leaf : world_.placement.leaf) {
    if (leaf < 0) continue;
    ++of_node[index(hierarchy.leaves[index(leaf)].node)];
    ++of_core[index(hierarchy.leaves[index(leaf)].core)];
    ++of_leaf[index(leaf)];
  }
  std::vector<int> order(hierarchy.leaves.size());
  std::iota(order.begin(), order.end(), 0);
  // A node is drawn first, because all leaves of a node are equivalent.
  std::vector<std::uint64_t> lots(hierarchy.nodes.size());
  for (auto& lot : lots) lot = world_.random();
  std::shuffle(order.begin(), order.end(), world_.random);
  return *std::ranges::min_element(order, {}, [&](int leaf) {
    const Leaf& place = hierarchy.leaves[index(leaf)];
    return std::tuple(of_node[index(place.node)], lots[index(place.node)], of_core[index(place.core)],
                      of_leaf[index(leaf)]);
  });
}

int Policy::first_home(std::uint64_t, int thread) {
  return node_of(thread);
}

void Policy::fault(Record, double, bool) {}

void Policy::advance(double, double interval) {
  swap_now_and_then(interval);
}

void Policy::swap_now_and_then(double interval) {
  std::poisson_distribution<int> swaps(world_.options.swaps_per_second * interval);
  std::vector<int>& leaves = world_.placement.leaf;
  for (int left = swaps(world_.random); left > 0; --left) {
    const std::size_t one = world_.random() % leaves.size();
    const int to = static_cast<int>(world_.random() % world_.machine.hierarchy.leaves.size());
    if (leaves[one] < 0) continue;
    const auto there = std::ranges::find(leaves, to);
    if (there == leaves.end()) continue;  // there is no thread to exchange places with
    *there = leaves[one];
    leaves[one] = to;
  }
}

void Policy::move_page(std::uint64_t page, int to, int payer) {
  std::int16_t& home = world_.placement.home[page];
  world_.moved.emplace_back(home, to);
  home = static_cast<std::int16_t>(to);
  ++counts_.pages_moved;
  counts_.overhead.page_moves += world_.options.costs.page_move;
  world_.owed[index(payer)] += world_.options.costs.page_move;
}

void Policy::move_thread(int thread, int leaf) {
  if (world_.placement.leaf[index(thread)] == leaf) return;
  world_.placement.leaf[index(thread)] = leaf;
  ++counts_.tasks_moved;
  counts_.overhead.task_moves += world_.options.costs.task_move;
  world_.owed[index(thread)] += world_.options.costs.task_move;
}

void Policy::hide(double pages, double seconds) {
  auto& hidden = world_.placement.hidden;
  const std::uint32_t from = world_.trace.moment(std::max(world_.piece, 0)),
                      to = world_.trace.moment(world_.piece < 0 ? PreparedTrace::pieces : world_.piece + 1);
  std::uniform_real_distribution<double> chance(0, 1);
  to_hide_ = std::min(to_hide_ + pages, static_cast<double>(hidden.size()));
  for (; to_hide_ >= 1; to_hide_ -= 1) {
    const std::uint64_t page = next_to_hide_;
    next_to_hide_ = (next_to_hide_ + 1) % hidden.size();
    if (world_.placement.home[page] < 0 || hidden[page] != 0) continue;
    const auto visit = world_.trace.visit(page, chance(world_.random), from, to);
    if (!visit || world_.placement.leaf[visit->thread] < 0) {
      hidden[page] = 1;
    } else {
      fault({static_cast<std::uint32_t>(page), 0, visit->thread, 0, visit->line, visit->write}, seconds,
            false);
    }
  }
}

}  // namespace gable::kmaf
