#pragma once

// Learns from the samples of a run what an oracle of the next one has to know.

#include <optional>
#include <unordered_map>

#include "kmaf/engine/learning.hpp"
#include "kmaf/live/program/address_space.hpp"
#include "kmaf/live/program/names.hpp"

namespace gable::kmaf::live {

class Learner {
 public:
  Learner(pid_t program, unsigned unit_bytes, unsigned sub_block_bytes);

  /// Threads and processes that come and go.
  void follow(const Event& event);
  /// An access, and where it belongs.
  void sample(const Event& event, const Place& place);

  Knowledge knowledge() const { return learning_.knowledge(); }

 private:
  std::optional<int> number_of(pid_t tid);
  void end(pid_t tid);

  Names names_;
  Learning learning_;
  std::unordered_map<std::uint64_t, std::optional<int>> numbers_;  // of the instances that run
};

}  // namespace gable::kmaf::live
