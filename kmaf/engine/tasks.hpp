#pragma once

// Small numbers for threads. A task id of the system can be any number, whereas the affinity table stores
// threads in 16 bits and the affinity matrix has a row for each.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gable::kmaf {

class Tasks {
 public:
  using Id = std::int64_t;

  /// The number of the task; empty for a new task if all numbers below `most` are taken.
  std::optional<int> number(Id id, int most) {
    if (const auto found = numbers_.find(id); found != numbers_.end()) return found->second;
    if (free_.empty() && static_cast<int>(ids_.size()) >= most) return {};
    int number = static_cast<int>(ids_.size());
    if (free_.empty()) {
      ids_.push_back(id);
      alive_.push_back(true);
    } else {
      number = free_.back();
      free_.pop_back();
      ids_[static_cast<std::size_t>(number)] = id;
      alive_[static_cast<std::size_t>(number)] = true;
    }
    numbers_.emplace(id, number);
    return number;
  }

  /// The number of the task, if it has one.
  std::optional<int> find(Id id) const {
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) return {};
    return found->second;
  }

  /// Ends the task and returns its number, which is not reused before `recycle`.
  std::optional<int> end(Id id) {
    const auto found = numbers_.find(id);
    if (found == numbers_.end()) return {};
    const int number = found->second;
    numbers_.erase(found);
    alive_[static_cast<std::size_t>(number)] = false;
    ended_.push_back(number);
    return number;
  }

  /// Flags the numbers of ended tasks if there are at least `worth` of them. Callers must then forget these
  /// numbers, because they are reused from now on.
  std::optional<std::vector<bool>> recycle(std::size_t worth) {
    if (ended_.empty() || ended_.size() < worth) return {};
    std::vector<bool> dead(ids_.size());
    for (const int number : ended_) dead[static_cast<std::size_t>(number)] = true;
    free_.insert(free_.end(), ended_.rbegin(), ended_.rend());
    ended_.clear();
    return dead;
  }

  int numbers() const { return static_cast<int>(ids_.size()); }  ///< given out so far
  bool alive(int number) const { return alive_[static_cast<std::size_t>(number)]; }
  Id id(int number) const { return ids_[static_cast<std::size_t>(number)]; }
  bool empty() const { return numbers_.empty(); }

 private:
  std::unordered_map<Id, int> numbers_;
  std::vector<Id> ids_;
  std::vector<bool> alive_;
  std::vector<int> ended_, free_;
};

}  // namespace gable::kmaf
