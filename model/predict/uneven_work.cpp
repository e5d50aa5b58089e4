#include "model/predict/uneven_work.hpp"

#include <algorithm>
#include <utility>

namespace gable::model {
namespace {

// Threads take lines from each other only while several work.
void multiply_needs(PartNeeds& part, double factor) {
  for (NeedTime& need : part.needs) {
    if (need.group == NeedTime::Group::cores) continue;
    for (double& seconds : need.seconds) seconds *= factor;
  }
}

void add(PartNeeds& to, const PartNeeds& more) {
  for (const NeedTime& need : more.needs) {
    const auto same = std::ranges::find_if(
        to.needs, [&](const NeedTime& own) { return own.group == need.group && own.what == need.what; });
    if (same == to.needs.end()) {
      to.needs.push_back(need);
      continue;
    }
    for (std::size_t i = 0; i < need.seconds.size(); ++i) same->seconds[i] += need.seconds[i];
  }
}

}  // namespace

// With one thread's part s and the rest divided among n, the busiest one has s + (1 - s) / n.
double lone_part(double of_busiest, int profiled, int cores) {
  const int threads = std::min(profiled, cores);
  if (of_busiest <= 0 || threads <= 1) return 0;
  return std::clamp((threads * of_busiest - 1) / (threads - 1), 0.0, 1.0);
}

Point of_one_thread(Point point, int cluster) {
  point.threads = 1;
  point.cores = 0;
  if (point.cluster >= 0) return point;
  point.cluster = cluster;
  point.alone = true;
  return point;
}

WorkParts of_one_thread(WorkParts parts, int cluster) {
  for (WorkPart& part : parts) part.point = of_one_thread(std::move(part.point), cluster);
  return parts;
}

std::vector<PartNeeds> mixed_needs(std::vector<PartNeeds> together, const std::vector<PartNeeds>& alone,
                                   double share) {
  for (PartNeeds& part : together) multiply_needs(part, 1 - share);
  for (PartNeeds part : alone) {
    multiply_needs(part, share);
    const auto same = same_part(together, part);
    if (same == together.end()) {
      together.push_back(std::move(part));
    } else {
      add(*same, part);
    }
  }
  return together;
}

}  // namespace gable::model
