#include "model/predict/machine_parts.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sorting.hpp"
#include "model/predict/parameters.hpp"

namespace gable::model {
namespace {

bool is_of_level(const NeedTime& need) {
  return need.group == NeedTime::Group::transfer || need.unit == Level("L1").name();
}

// Adds the need of a function. A core may follow several chains at once.
void add_need(const NeedTime& need, MachinePart& to) {
  const auto [least, most] = std::ranges::minmax(need.seconds);
  const bool is_chain = need.group == NeedTime::Group::chain;
  to.is_level = to.is_level || is_of_level(need);
  to.seconds += need.seconds.front();
  to.lo += is_chain ? least / PredictParameters().chains_at_once : least;
  to.hi += most;
}

}  // namespace

std::vector<MachinePart> machine_parts(const Forecast& forecast) {
  std::map<std::string, MachinePart> by_name;
  std::map<std::string, double> longest;  // need of a function
  for (const PartNeeds& part : forecast.parts) {
    for (const NeedTime& need : part.needs) {
      MachinePart& to = by_name[need.what];
      add_need(need, to);
      if (need.seconds.front() <= longest[need.what]) continue;
      longest[need.what] = need.seconds.front();
      to.function = part.name;
    }
  }
  for (const Forecast::Share& share : forecast.binds) by_name[share.what].binds += share.seconds;
  std::vector<MachinePart> parts;
  for (auto& [what, part] : by_name) {
    part.what = what;
    parts.push_back(std::move(part));
  }
  sort_down_by(parts, &MachinePart::seconds);
  sort_down_by(parts, &MachinePart::binds);
  return parts;
}

}  // namespace gable::model
