#pragma once

// The sentences about a Point's needs: bound by what, how sure, one thing to do, then figures.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/points/needs/needs.hpp"

namespace gable::model {

/// More than this part of the time contradicts a roof, since counts and roofs have errors of their own.
inline constexpr double at_most_of_time = 1.15;

/// Whether the need may bind the Point only because the interval of its roof is wide.
bool is_by_interval(const Need& need);

/// Whether several needs may bind the Point, or one of which nothing better is known than a range.
bool is_undecided(const std::vector<Need>& candidates);

/// What the functions need one after the other, each by what it needs most, of the Point's time.
double share_in_turns(const Reading& reading);
/// Whether that explains the Point's time, which no single part of the machine does.
bool is_bound_in_turns(const Reading& reading);

class NeedWords {
 public:
  NeedWords(const Roofs& roofs, const Point& point, const Reading& reading);

  /// One to four sentences. `candidates` are the needs that may bind the Point.
  std::string cause(const std::vector<Need>& needs, const std::vector<Need>& candidates,
                    const Reading& reading) const;
  /// Tells that a need takes more than the time.
  std::string too_much(const Need& need) const;

 private:
  std::string roof_of(const Need& need) const;
  std::string amount_of(const Need& need) const;
  std::string undecided_text(const std::vector<Need>& candidates, const std::string& figures) const;
  std::string others(const std::vector<Need>& needs, const std::vector<Need>& told) const;
  std::string in_turns(const Reading& reading) const;
  std::string time_remark(const Reading& reading) const;
  std::string instruction_remark() const;
  std::string branch_cost_text() const;

  const Roofs& roofs_;
  const Point& point_;
  Reading reading_;
  int cores_;
};

}  // namespace gable::model
