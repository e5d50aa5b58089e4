#pragma once

// The sentences about a Point's needs: bound by what, how sure, one thing to do, then figures.

#include <string>
#include <vector>

#include "model/points/binding.hpp"
#include "model/points/needs/needs.hpp"

namespace gable::model {

/// More than this part of the time contradicts a roof, since counts and roofs have errors of their own.
inline constexpr double at_most_of_time = 1.15;

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
  std::string others(const std::vector<Need>& needs, std::size_t from) const;
  std::string advice(const Need& need) const;

  const Roofs& roofs_;
  const Point& point_;
  Reading reading_;
  int cores_;
};

}  // namespace gable::model
