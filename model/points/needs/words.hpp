#pragma once

// The sentences about a Point's needs: bound by what, how sure, one thing to do, then figures.

#include <optional>
#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/points/needs/needs.hpp"
#include "model/points/needs/thread_wait.hpp"

namespace gable::model {

/// A function's name; a library stands for functions that it has no symbols for.
std::string words_for(const FunctionWork& work);

/// Whether the need may bind the Point only because the interval of its roof is wide.
bool is_by_interval(const Need& need);

/// Whether several needs may bind the Point, or one of which nothing better is known than a range.
bool is_undecided(const std::vector<Need>& candidates);

/// What the functions need one after the other, each by what it needs most, of the Point's time.
double share_in_turns(const Reading& reading);
/// Whether that explains the Point's time outside of the kernel, which no single part of the machine does.
bool is_bound_in_turns(const Point& point, const Reading& reading);

/// "63 %", "20 to 63 %", or "up to 63 %".
std::string share_text(const Need& need);

class NeedWords {
 public:
  NeedWords(const Roofs& roofs, const Point& point, const Reading& reading);

  /// Whether waiting for other threads is a candidate beside the needs, of which `first` is the largest.
  bool may_wait(const Need& first) const;
  /// `candidates` are the needs that may bind the Point.
  Verdict verdict(const std::vector<Need>& needs, const std::vector<Need>& candidates,
                  const Reading& reading) const;
  /// Whether the number of instructions may bind a Point that no need binds: cores may execute more of them
  /// than additions.
  bool may_be_instructions() const { return share_of_instructions() >= bound_from_percent / 100; }
  /// Tells that a need takes more than the time.
  std::string too_much(const Need& need) const;

 private:
  std::string roof_of(const Need& need) const;
  std::string roof_of_branches(const Need& need) const;
  std::string amount_of(const Need& need) const;
  std::string transferred(const Need& need) const;
  /// "42 % of its time for 1.9 GiB at the bandwidth of ..."
  std::string figures_of(const Need& need) const;
  /// What the first need takes is a remark where the answer names several needs.
  std::string need_remark(const Need& need) const;
  /// Whether waiting for other threads may take more than any need.
  bool takes_turns(const Need& first, const PointWithoutOverlap& apart, const Reading& reading) const;
  bool mostly_waits(const std::vector<Need>& candidates, const Reading& reading) const;
  /// Whether the kernel took more of the time than any need does, and at least as much as what takes most.
  bool mostly_in_kernel(const std::vector<Need>& candidates) const;
  Verdict in_kernel(const std::vector<Need>& needs) const;
  Verdict answer(const std::vector<Need>& candidates, const PointWithoutOverlap& apart) const;
  /// Prefetches by software help if computing and transfers do not overlap.
  std::string prefetch_advice(const PointWithoutOverlap& apart) const;
  std::string apart_remark(const PointWithoutOverlap& apart) const;
  Verdict undecided(const std::vector<Need>& candidates) const;
  Verdict waiting(const std::vector<Need>& needs) const;
  /// All instructions as a part of the additions of integers that the cores can do in the Point's time.
  double share_of_instructions() const;
  Verdict unbound(const Need& first, const PointWithoutOverlap& apart) const;
  /// The range that may take most of the time of a Point that nothing binds; nullptr: there is none.
  const Need* may_be_most(const std::vector<Need>& needs, const std::vector<Need>& candidates) const;
  /// Tells what this need alone may do: "bind it".
  Verdict only(const Need& need, const char* may) const;
  std::string others(const std::vector<Need>& needs, const std::vector<Need>& told) const;
  std::string in_turns(const Reading& reading) const;
  std::string time_remark(const Reading& reading) const;
  std::string instruction_remark() const;
  std::string branch_cost_text() const;

  const Roofs& roofs_;
  const Point& point_;
  Reading reading_;
  int cores_;
  std::optional<ThreadWait> wait_;
};

}  // namespace gable::model
