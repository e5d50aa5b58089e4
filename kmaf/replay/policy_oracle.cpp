// The oracle knows everything before the start: where threads run best, and which node accesses each page
// most. Nothing moves, as in the paper.

#include <algorithm>
#include <numeric>

#include "base/numbers.hpp"
#include "base/sorting.hpp"
#include "kmaf/replay/policies.hpp"

namespace gable::kmaf {

namespace {

class OraclePolicy : public Policy {
 public:
  explicit OraclePolicy(const World& world) : Policy(world) {
    if (world.options.pages == OraclePages::fast_by_accesses ||
        world.options.pages == OraclePages::fast_interleaved)
      fill_fast_memory();
  }
  int first_leaf(int thread) override { return world_.options.mapping[index(thread)]; }
  int first_home(std::uint64_t page, int toucher) override {
    if (!fast_.empty() && fast_[page] >= 0) return fast_[page];
    switch (world_.options.pages) {
      case OraclePages::interleaved:
      case OraclePages::fast_interleaved:
        return static_cast<int>(world_.trace.page_number(page) % world_.machine.hierarchy.nodes.size());
      case OraclePages::first_touch:
        return node_of(toucher);
      case OraclePages::most_accesses:
      case OraclePages::fast_by_accesses:
        break;
    }
    return world_.trace.use_of(page).empty() ? node_of(toucher) : node_of_most(page);
  }
  void advance(double, double) override {}

 private:
  int node_of_most(std::uint64_t page) {
    std::vector<std::uint64_t> accesses(world_.machine.hierarchy.nodes.size());
    for (const auto& [thread, count] : world_.trace.use_of(page)) {
      accesses[index(world_.machine.hierarchy.leaves[index(first_leaf(thread))].node)] += count;
    }
    return static_cast<int>(std::ranges::max_element(accesses) - accesses.begin());
  }

  std::uint64_t accesses_of(std::uint64_t page) const {
    std::uint64_t sum = 0;
    for (const auto& [thread, count] : world_.trace.use_of(page)) sum += count;
    return sum;
  }

  // The pages with the most accesses get room first.
  void fill_fast_memory() {
    constexpr std::uint64_t page_bytes = 4096;
    const std::vector<Memory>& memories = world_.machine.memories;
    std::vector<std::uint64_t> pages(world_.placement.home.size()), accesses, room;
    std::iota(pages.begin(), pages.end(), 0);
    for (const std::uint64_t page : pages) accesses.push_back(accesses_of(page));
    sort_down_by(pages, [&](std::uint64_t page) { return accesses[page]; });
    for (const Memory& memory : memories) {
      const std::uint64_t fits = memory.bytes == 0 ? pages.size() : memory.bytes / page_bytes;
      room.push_back(world_.machine.is_fast(memory) ? fits : 0);
    }
    fast_.assign(pages.size(), -1);
    std::size_t next = 0;
    for (const std::uint64_t page : pages) {
      if (accesses[page] == 0) break;
      const bool in_turn = world_.options.pages == OraclePages::fast_interleaved;
      const std::size_t node = in_turn ? 0 : index(node_of_most(page));
      for (std::size_t tried = 0; tried < memories.size(); ++tried) {
        const std::size_t memory = (next + tried) % memories.size();
        if (room[memory] == 0 || (!in_turn && !memories[memory].local[node])) continue;
        fast_[page] = static_cast<std::int16_t>(memory);
        --room[memory];
        if (in_turn) next = memory + 1;
        break;
      }
    }
  }

  std::vector<std::int16_t> fast_;  // the fast memory of each page; -1: none
};

}  // namespace

std::unique_ptr<Policy> make_oracle(const Policy::World& world) {
  return std::make_unique<OraclePolicy>(world);
}

}  // namespace gable::kmaf
