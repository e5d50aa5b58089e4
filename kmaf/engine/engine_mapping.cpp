// The engine's mapping of threads: by their sharing, and by trials.

#include "kmaf/engine/engine.hpp"

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"
#include "base/sorting.hpp"

namespace gable::kmaf {

namespace {

// Below this number of sharing events per sample, threads share too little for their mapping to matter. Aging
// never removes the last 3 events of an element; without this limit the remains of an initialization would
// determine the mapping.
constexpr double least_sharing = 0.02;
// Sharing events per thread that a new mapping is judged by before it is adopted.
constexpr double events_to_judge = 4;
// A gain is beyond chance from so many standard deviations on.
constexpr double beyond_chance = 3;
// A full remap moves half of the threads. So many are adopted while the cost of the mapping stays as it is.
constexpr int most_remaps = 2;
constexpr double same_cost = 0.02;
// The places that a trial kept are given up when the program's progress falls to this share.
constexpr double kept_above = 0.75;
// Places are judged when no more than this share of the known pages follows the threads in a second.
constexpr double few_pages = 0.1;

}  // namespace

std::vector<int> Engine::movable() const {
  std::vector<int> threads;
  for (int number = 0; number < tasks_.numbers(); ++number) {
    if (tasks_.alive(number) && !pinned_[index(number)]) threads.push_back(number);
  }
  sort_by(threads, [&](int number) { return tasks_.id(number); });
  return threads;
}

Engine::Present Engine::present() const {
  Present present;
  std::vector<bool> newcomers;
  std::vector<double> seconds;
  present.threads = movable();
  for (const int number : present.threads) {
    present.places.push_back(leaf_[index(number)]);
    newcomers.push_back(!placed_[index(number)]);
    seconds.push_back(ran_[index(number)]);
  }
  present.places = balanced(std::move(present.places), hierarchy_, newcomers);
  present.activity = activity_of(seconds);
  return present;
}

void Engine::map() {
  auto [threads, now, activity] = present();
  if (threads != trial_threads_) forget_trials();
  ++counts_.mappings;
  const bool is_judged = trial_.runs() || kept_rate_ > 0;  // by the program's progress
  if (auto better = is_judged ? std::nullopt : better_mapping(threads, activity, now)) {
    ++counts_.mappings_adopted;
    now = closest_to(now, std::move(*better), hierarchy_);
    const auto busy = static_cast<std::size_t>(std::ranges::count(activity.runs, true));
    packed_ = index(nodes_used(now, activity.runs, hierarchy_)) < std::min(busy, hierarchy_.nodes.size());
  }
  place(threads, now);
  matrix_.age();
  before_candidate_.age();
  for (double& time : ran_) time *= 0.75;
}

void Engine::progressed(double work, double seconds) {
  if (!config_.trials || seconds <= 0) return;
  if (movable() != trial_threads_) forget_trials();
  const std::uint64_t moved = counts_.pages_moved - std::exchange(pages_moved_seen_, counts_.pages_moved);
  const bool settled =
      static_cast<double>(moved) <= few_pages * seconds * static_cast<double>(table_.entries());
  if (const auto keeps = trial_.report(work / seconds, settled)) {
    if (*keeps) {
      kept_rate_ = trial_.rate();
      ++counts_.places_kept;
    } else {
      place(trial_threads_, before_trial_);
    }
  }
  if (kept_rate_ > 0 && trial_.is_ready() && trial_.rate() < kept_above * kept_rate_) forget_trials();
  const bool was_judged = counts_.mappings_calculated > 0 || counts_.mappings >= config_.patience;
  if (was_judged && trial_.is_ready()) try_places();
}

void Engine::try_places() {
  const Present now = present();
  trial_threads_ = now.threads;
  const AffinityMatrix matrix = matrix_.of(now.threads);
  while (next_trial_ < places_to_try) {
    auto places = place_to_try(next_trial_++, matrix, now.activity, now.places, hierarchy_);
    if (!places) continue;
    before_trial_ = now.places;
    trial_.begin();
    ++counts_.places_tried;
    place(now.threads, closest_to(now.places, std::move(*places), hierarchy_));
    return;
  }
}

Trials Engine::trials() const {
  if (trial_.runs()) return Trials::running;
  return config_.trials && next_trial_ < places_to_try ? Trials::expected : Trials::none;
}

void Engine::forget_trials() {
  trial_.drop();
  trial_threads_.clear();
  next_trial_ = 0;
  kept_rate_ = 0;
}

bool Engine::pays(const AffinityMatrix& matrix, const Mapping& mapping, const Mapping& now) const {
  return mapping_cost(matrix, hierarchy_, mapping) <
         config_.adopt_below * mapping_cost(matrix, hierarchy_, now);
}

// Remapping without end helps nobody: at an unchanged cost the sharing has no better mapping to offer.
bool Engine::may_remap(const AffinityMatrix& matrix, const Mapping& mapping, const Mapping& now) {
  std::size_t moving = 0;
  for (std::size_t i = 0; i < now.size(); ++i) moving += mapping[i] != now[i] ? 1 : 0;
  if (2 * moving < now.size() || matrix.sum() == 0) return true;
  const double cost = mapping_cost(matrix, hierarchy_, now) / matrix.sum();
  if (std::abs(cost - adopted_cost_) > same_cost * adopted_cost_) remaps_ = 0;
  if (remaps_ == most_remaps) return false;
  ++remaps_;
  adopted_cost_ = mapping_cost(matrix, hierarchy_, mapping) / matrix.sum();
  return true;
}

// Threads that were packed onto few nodes are spread again when their data no longer fit into the caches, and
// threads that share a core for some time get cores of their own if there are enough. Otherwise the first
// mapping is adopted if it pays. Later ones must also pay for the sharing after they were calculated: for a
// sample of even sharing, the best mapping always looks better than the present one but is not.
std::optional<Mapping> Engine::better_mapping(const std::vector<int>& threads, const Activity& activity,
                                              const Mapping& now) {
  const AffinityMatrix matrix = matrix_.of(threads);
  if (candidate_ && candidate_threads_ != threads) candidate_.reset();
  crowded_periods_ = is_crowded(now, activity.runs, hierarchy_) ? crowded_periods_ + 1 : 0;
  if ((packed_ && !fits()) || crowded_periods_ >= config_.patience) {
    candidate_.reset();
    crowded_periods_ = 0;
    return places_of(matrix, activity, now, fits(), hierarchy_);
  }
  if (candidate_) return judged_candidate(threads, now);
  const double cost = mapping_cost(matrix, hierarchy_, now);
  if (!worth_calculating(matrix, cost)) return {};
  const bool first = ++counts_.mappings_calculated == 1;
  auto found = places_of(matrix, activity, now, fits(), hierarchy_);
  const double least = found ? std::min(cost, mapping_cost(matrix, hierarchy_, *found)) : cost;
  judged_cost_ = least / matrix.sum();
  calm_periods_ = 0;
  if (!found || !pays(matrix, *found, now)) return {};
  if (first) return found;
  candidate_ = std::move(found);
  candidate_threads_ = threads;
  candidate_periods_ = 0;
  before_candidate_ = matrix_;
  return {};
}

bool Engine::fits() const {
  return resident_bytes_ > 0 && resident_bytes_ <= static_cast<double>(hierarchy_.cache_bytes);
}

// The candidate, if the sharing since its calculation shows a gain beyond chance. It is dropped if there is
// none, or if this cannot be told after some periods.
std::optional<Mapping> Engine::judged_candidate(const std::vector<int>& threads, const Mapping& now) {
  const AffinityMatrix fresh = matrix_.since(before_candidate_).of(threads);
  if (fresh.sum() / 2 < events_to_judge * static_cast<double>(threads.size())) return {};
  const bool good = pays(fresh, *candidate_, now);
  if (good && gain_in_deviations(fresh, hierarchy_, *candidate_, now) < beyond_chance &&
      ++candidate_periods_ < config_.patience)
    return {};
  std::optional<Mapping> found = std::exchange(candidate_, {});
  if (!good || candidate_periods_ == config_.patience) return {};
  *found = closest_to(now, std::move(*found), hierarchy_);
  return may_remap(fresh, *found, now) ? found : std::nullopt;
}

// Scotch takes milliseconds. So it is called only when the present mapping has become worse for the current
// sharing than when it was last judged, and after a number of periods in any case.
bool Engine::worth_calculating(const AffinityMatrix& matrix, double cost) {
  recent_samples_ += static_cast<double>(counts_.samples - samples_seen_);
  samples_seen_ = counts_.samples;
  const bool matters = matrix.sum() / 2 > least_sharing * recent_samples_;
  recent_samples_ *= 0.75;  // as the matrix ages
  if (!matters) return false;
  return counts_.mappings_calculated == 0 || ++calm_periods_ >= config_.patience ||
         config_.adopt_below * cost > judged_cost_ * matrix.sum();
}

void Engine::place(const std::vector<int>& threads, const Mapping& mapping) {
  const auto node_of = [&](int leaf) { return hierarchy_.leaves[index(leaf)].node; };
  bool stale = false;  // the counted locations of the threads' accesses
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const std::size_t number = index(threads[i]);
    const bool moves = leaf_[number] != mapping[i];
    if (!moves && placed_[number]) continue;
    stale = stale || (placed_[number] && node_of(leaf_[number]) != node_of(mapping[i]));
    actions_.push_back(MoveTask{tasks_.id(threads[i]), hierarchy_.leaves[index(mapping[i])].pu});
    if (moves) {
      ++counts_.tasks_moved;
      trial_.moved();
    }
    leaf_[number] = mapping[i];
    placed_[number] = true;
  }
  if (stale) table_.halve_all();
}

}  // namespace gable::kmaf
