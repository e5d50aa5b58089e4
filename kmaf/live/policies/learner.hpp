#pragma once

// Builds from a run's samples the record that an oracle needs in the next run.

#include <optional>
#include <unordered_map>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/program/address_space.hpp"
#include "kmaf/live/program/names.hpp"

namespace gable::kmaf::live {

class Learner {
 public:
  Learner(pid_t program, unsigned unit_bytes, unsigned sub_block_bytes);

  /// Starts and ends of threads and processes.
  void follow(const Event& event);
  /// An access, and the page it belongs to.
  void sample(const Event& event, const Place& place);

  Knowledge knowledge() const { return learning_.knowledge(); }

 private:
  std::optional<int> number_of(pid_t tid);
  void end(pid_t tid);

  Names names_;
  Learning learning_;
  std::unordered_map<std::uint64_t, std::optional<int>> numbers_;  // of the running instances
};

}  // namespace gable::kmaf::live
