#include "kmaf/engine/engine.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace gable::kmaf {

namespace {

// More simultaneous tasks are not managed, because the matrix grows with the square of their number.
constexpr int most_tasks = 8192;
// The number of ended tasks at which the table is searched to reuse their numbers.
constexpr std::size_t worth_recycling = 64;

}  // namespace

Engine::Engine(const Config& config, Hierarchy hierarchy)
    : config_(config),
      hierarchy_(std::move(hierarchy)),
      table_(config, static_cast<int>(hierarchy_.nodes.size())),
      page_shift_(std::countr_zero(config.page_bytes)),
      trial_(config.trial_reports) {
  if (config.period_seconds <= 0) throw std::invalid_argument("period_seconds must be above 0");
  config_.map_threads = config_.map_threads && mapper().available;
  config_.trials = config_.trials && config_.map_threads;
  for (std::size_t leaf = 0; leaf < hierarchy_.leaves.size(); ++leaf)
    leaf_of_pu_[hierarchy_.leaves[leaf].pu] = static_cast<int>(leaf);
}

int Engine::number_of(Tasks::Id task) {
  if (const auto dead = tasks_.recycle(worth_recycling)) table_.forget(*dead);
  const auto number = tasks_.number(task, most_tasks);
  if (!number) return -1;
  if (*number >= matrix_.threads()) {
    matrix_.grow(*number + 1);
    leaf_.resize(index(*number + 1));
    placed_.resize(index(*number + 1));
    pinned_.resize(index(*number + 1));
    ran_.resize(index(*number + 1), -1);
  }
  return *number;
}

void Engine::sample(const Sample& sample) {
  advance(sample.seconds);
  ++counts_.samples;
  const auto leaf = leaf_of_pu_.find(sample.pu);
  const int thread = leaf == leaf_of_pu_.end() ? -1 : number_of(sample.task);
  if (thread < 0) {
    ++counts_.unmanaged;
    return;
  }
  leaf_[index(thread)] = leaf->second;
  const std::size_t entry = table_.entry({sample.object, sample.address >> page_shift_});
  if (sample.page_node >= 0) table_.set_home(entry, sample.page_node);
  if (placed_[index(thread)] || !config_.map_threads)
    count(entry, hierarchy_.leaves[index(leaf->second)].node);
  share(entry, static_cast<unsigned>(sample.address & (config_.page_bytes - 1)), thread);
  if (sample.movable) consider_page(entry);
}

void Engine::count(std::size_t entry, int node) {
  if (table_.count(entry, node)) return;
  // A counter that stayed saturated would keep the page forever: no other could become twice as large.
  table_.halve(entry);
  table_.count(entry, node);
}

void Engine::share(std::size_t entry, unsigned offset, int thread) {
  // A thread that returns without another access in between shares nothing: the others' data may be outdated.
  if (table_.sharer(entry, offset, 0) == thread) return;
  table_.touch(entry, offset, static_cast<AffinityTable::Thread>(thread));
  // All pairs of threads of the sub-block share it: section 3.2.
  for (int i = 0; i < table_.sharers(); ++i) {
    const auto one = table_.sharer(entry, offset, i);
    if (one == AffinityTable::no_thread) return;
    for (int j = 0; j < i; ++j) {
      const auto other = table_.sharer(entry, offset, j);
      if (!tasks_.alive(one) || !tasks_.alive(other)) continue;
      matrix_.add(one, other);
      ++counts_.sharing_events;
    }
  }
}

void Engine::consider_page(std::size_t entry) {
  if (!config_.move_pages || !mapped_) return;
  const int to = table_.exclusive_node(entry);
  if (to < 0 || to == table_.home(entry)) return;
  actions_.push_back(MovePage{table_.page(entry), table_.home(entry), to});
  table_.set_home(entry, to);
  table_.halve(entry);
  ++counts_.pages_moved;
}

void Engine::advance(double seconds) {
  if (!next_map_) next_map_ = seconds + config_.period_seconds;
  if (seconds < *next_map_) return;
  // Periods without a sample are not made up for.
  const double passed = (seconds - *next_map_) / config_.period_seconds;
  next_map_ =
      *next_map_ + (static_cast<double>(static_cast<std::uint64_t>(passed)) + 1) * config_.period_seconds;
  if (tasks_.empty()) return;
  if (config_.map_threads) map();
  mapped_ = true;
}

void Engine::refused(Tasks::Id task) {
  const auto number = tasks_.find(task);
  if (number) pinned_[index(*number)] = true;
}

void Engine::postpone(Tasks::Id task) {
  const auto number = tasks_.find(task);
  if (number) placed_[index(*number)] = false;
}

void Engine::ran(Tasks::Id task, double seconds) {
  const auto number = tasks_.find(task);
  if (number) ran_[index(*number)] = std::max(ran_[index(*number)], 0.0) + seconds;
}

void Engine::ended(Tasks::Id task) {
  const auto number = tasks_.end(task);
  if (!number) return;
  matrix_.forget(*number);
  placed_[index(*number)] = pinned_[index(*number)] = false;
  ran_[index(*number)] = -1;
}

}  // namespace gable::kmaf
