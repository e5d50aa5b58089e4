#include "kmaf/engine/knowledge.hpp"

#include <algorithm>
#include <limits>

namespace gable::kmaf {

Mapping leaves_of(const Knowledge& knowledge, const Hierarchy& hierarchy) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const int tasks = static_cast<int>(knowledge.tasks.size());
  AffinityMatrix matrix(tasks);
  for (const KnownSharing& pair : knowledge.sharing)
    matrix.add(pair.one, pair.other, static_cast<std::uint32_t>(std::min(pair.events, most)));
  return best_mapping(matrix, tasks, hierarchy);
}

std::vector<int> homes_of(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy) {
  std::vector<int> homes;
  std::vector<std::uint64_t> accesses(hierarchy.nodes.size());
  for (const KnownPage& page : knowledge.pages) {
    std::ranges::fill(accesses, 0);
    const auto node_of = [&](const TaskUse& use) {
      const int leaf = leaves[static_cast<std::size_t>(use.task)];
      return static_cast<std::size_t>(hierarchy.leaves[static_cast<std::size_t>(leaf)].node);
    };
    for (const TaskUse& use : page.uses) accesses[node_of(use)] += use.accesses;
    std::size_t home = node_of(page.uses.back());
    for (std::size_t node = 0; node < accesses.size(); ++node) {
      if (accesses[node] > accesses[home]) home = node;
    }
    homes.push_back(static_cast<int>(home));
  }
  return homes;
}

Learning::Learning(unsigned unit_bytes, unsigned sub_block_bytes, Limits limits)
    : unit_bytes_(unit_bytes), sub_block_bytes_(sub_block_bytes), limits_(limits) {
  known_.unit_bytes = unit_bytes;
}

std::optional<int> Learning::add_task(const KnownProgram& program, int number) {
  if (known_.tasks.size() >= limits_.tasks) {
    ++known_.tasks_left_out;
    return {};
  }
  const auto [found, is_new] = programs_.try_emplace(program.name, static_cast<int>(known_.programs.size()));
  if (is_new) known_.programs.push_back(program);
  known_.tasks.push_back({found->second, number, 0});
  known_.tasks_at_once = std::max(known_.tasks_at_once, ++alive_);
  return static_cast<int>(known_.tasks.size()) - 1;
}

void Learning::sample(int task, std::uint64_t object, std::uint64_t offset, std::uint64_t address) {
  constexpr std::uint64_t system_page = 4096;
  KnownTask& known = known_.tasks[static_cast<std::size_t>(task)];
  const Page page{object, offset / unit_bytes_};
  auto found = pages_.find(page);
  if (found == pages_.end()) {
    if (pages_.size() >= limits_.pages) {
      ++known_.samples_left_out;
      return;
    }
    found = pages_.emplace(page, known_.pages.size()).first;
    known_.pages.push_back({known.program, address - address % system_page, {}, task});
  }
  ++known.accesses;
  use(known_.pages[found->second], task);
  share(task, {object, offset / sub_block_bytes_});
}

// The task that comes last is stored last. If there is no room, the task with the fewest accesses is removed.
void Learning::use(KnownPage& page, int task) {
  TaskUse now{task, 1};
  auto& uses = page.uses;
  const auto own = std::ranges::find(uses, task, &TaskUse::task);
  if (own != uses.end()) {
    now.accesses += own->accesses;
    uses.erase(own);
  } else if (uses.size() >= limits_.uses) {
    const auto fewest = std::ranges::min_element(uses, {}, &TaskUse::accesses);
    page.others += fewest->accesses;
    uses.erase(fewest);
  }
  uses.push_back(now);
}

void Learning::share(int task, const Page& sub_block) {
  const auto found = last_.find(sub_block);
  if (found == last_.end()) {
    if (last_.size() < limits_.sub_blocks) last_.emplace(sub_block, task);
    return;
  }
  if (found->second == task) return;
  ++sharing_[std::minmax(found->second, task)];
  found->second = task;
}

Knowledge Learning::knowledge() const {
  Knowledge all = known_;
  for (const auto& [pair, events] : sharing_) all.sharing.push_back({pair.first, pair.second, events});
  return all;
}

}  // namespace gable::kmaf
