#pragma once

// Binds a program's threads as they start, to the places computed from the sharing in its record.

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kmaf/engine/knowledge.hpp"
#include "kmaf/live/movers/binder.hpp"
#include "kmaf/live/program/names.hpp"

namespace gable::kmaf::live {

class KnownThreads {
 public:
  /// `leaves`: of each task of `knowledge`; both outlive this. Without `binds`, threads are only counted.
  KnownThreads(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy, Binder& binder,
               pid_t program, double now, bool binds);

  /// Once `names` has lost count, new threads are unknown and left alone. Call after `names` has followed the
  /// event, except for the end of a thread, which `names` follows afterwards.
  void follow(const Event& event, Names& names);
  /// Time passes.
  void advance(double now, Names& names);

  std::uint64_t recognized() const { return recognized_; }
  std::uint64_t unknown() const { return unknown_; }
  /// Threads that ended before their program was known.
  std::uint64_t gone() const { return gone_; }
  /// The number of threads that are in the record but never started.
  std::uint64_t missed() const;

 private:
  void bind(pid_t tid, Names& names);
  void release(pid_t tid);
  int leaf_for(int task) const;

  const Knowledge& knowledge_;
  const Mapping& leaves_;
  Hierarchy hierarchy_;
  Binder& binder_;
  bool binds_;
  std::map<std::pair<std::string, int>, int> tasks_;  // by name of the program and number
  std::vector<bool> begun_;                           // of each task
  FirstThreads alone_;
  std::unordered_map<pid_t, int> leaf_of_;  // of bound threads
  std::vector<int> load_;                   // of each leaf
  int room_ = 1;                            // threads per leaf
  std::uint64_t recognized_ = 0, unknown_ = 0, gone_ = 0;
};

}  // namespace gable::kmaf::live
