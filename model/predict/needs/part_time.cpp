#include "model/predict/needs/part_time.hpp"

#include <algorithm>

#include "base/lists.hpp"

namespace gable::model {
namespace {

bool is_of_core(const NeedTime& need) {
  return need.group == NeedTime::Group::core || need.group == NeedTime::Group::flush;
}

// The times of the units that work at once, by name.
struct Units {
  std::vector<std::pair<double, std::string>> times;

  void add(double seconds, const std::string& what) {
    if (seconds > 0) times.emplace_back(seconds, what);
  }
};

// Transfers with the memory follow each other, whatever their order, and a core waits for lines of one cache
// after those of another. It does nothing else while a mispredicted branch waits for the load that decides
// it.
Units units_of(const PartNeeds& part, const Overlap& overlap, RoofEnd end) {
  Units units;
  const auto index = static_cast<std::size_t>(end);
  std::pair<double, std::string> core, random;
  double flush = 0, all_random = 0;
  for (const NeedTime& need : part.needs) {
    const double seconds = need.seconds[index];
    if (need.group == NeedTime::Group::core) core = std::max(core, {overlap.core * seconds, need.what});
    if (need.group == NeedTime::Group::random) {
      random = std::max(random, {seconds, need.what});
      all_random += seconds;
    }
    if (need.group == NeedTime::Group::flush || need.group == NeedTime::Group::wait) flush += seconds;
    if (need.group == NeedTime::Group::transfer || need.group == NeedTime::Group::cores ||
        need.group == NeedTime::Group::walks)
      units.add(seconds, need.what);
    if (need.group == NeedTime::Group::chain) units.add(seconds / overlap.chains, need.what);
  }
  units.add(core.first + (overlap.core > 0 ? flush : 0),
            flush > core.first ? "mispredicted branches" : core.second);
  units.add(all_random, random.second);
  return units;
}

}  // namespace

PartTime predicted_time(const PartNeeds& part, const Overlap& overlap, RoofEnd end) {
  const Units units = units_of(part, overlap, end);
  if (units.times.empty()) return {};
  const auto largest = *std::max_element(units.times.begin(), units.times.end());
  double sum = 0;
  for (const auto& [seconds, what] : units.times) sum += seconds;
  return {largest.first + overlap.exposed * (sum - largest.first), largest.second};
}

double predicted_time(const std::vector<PartNeeds>& parts, const Overlap& overlap, RoofEnd end) {
  double sum = 0;
  for (const PartNeeds& part : parts) sum += predicted_time(part, overlap, end).seconds;
  return sum;
}

std::map<std::string, double> unit_times_of(const std::vector<PartNeeds>& parts) {
  std::map<std::string, double> sums;
  for (const PartNeeds& part : parts) {
    for (const NeedTime& need : part.needs) sums[need.unit] += need.seconds.front();
  }
  return sums;
}

std::vector<NeedTime> align_core(const std::vector<PartNeeds>& here, std::vector<PartNeeds>& there,
                                 double factor, double most) {
  const auto before = unit_times_of(here), after = unit_times_of(there);
  for (PartNeeds& part : there)
    std::erase_if(part.needs,
                  [&](const NeedTime& need) { return is_of_core(need) && !before.contains(need.unit); });
  std::vector<NeedTime> carried;
  for (const PartNeeds& part : here) {
    for (NeedTime need : part.needs) {
      if (!is_of_core(need) || after.contains(need.unit)) continue;
      const double seconds = need.seconds.front() * factor;
      need.seconds = {seconds, seconds / most, seconds * most, seconds, seconds};
      auto same = same_part(there, part);
      if (same == there.end()) same = there.insert(there.end(), {part.name, {}, 0, part.loop});
      same->needs.push_back(need);
      if (std::ranges::find(carried, need.unit, &NeedTime::unit) == carried.end()) carried.push_back(need);
    }
  }
  return carried;
}

double core_time(const std::vector<PartNeeds>& parts) {
  double sum = 0;
  for (const PartNeeds& part : parts) {
    double most = 0;
    for (const NeedTime& need : part.needs) {
      if (need.group == NeedTime::Group::core) most = std::max(most, need.seconds.front());
      if (need.group == NeedTime::Group::flush) sum += need.seconds.front();
    }
    sum += most;
  }
  return sum;
}

}  // namespace gable::model
