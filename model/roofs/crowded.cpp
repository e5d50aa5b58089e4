#include "model/roofs/crowded.hpp"

#include <algorithm>

#include "model/records/crowding.hpp"

namespace gable::model {

Crowded::Crowded(const std::vector<const Sample*>& samples) {
  for (const Sample* sample : samples) {
    if (sample->status != Status::ok) continue;
    double& most = most_[sample->spec.cluster];
    most = std::max(most, sample->adds_per_cycle);
  }
}

bool Crowded::is_crowded(const Sample& visit) const {
  const auto most = most_.find(visit.spec.cluster);
  return most != most_.end() && model::is_crowded(visit.adds_per_cycle, most->second);
}

std::vector<const Sample*> Crowded::without(const std::vector<const Sample*>& visits) const {
  constexpr int enough = 3;
  std::vector<const Sample*> alone = visits;
  std::erase_if(alone,
                [&](const Sample* visit) { return visit->status == Status::ok && is_crowded(*visit); });
  const auto ok = std::ranges::count(alone, Status::ok, [](const Sample* visit) { return visit->status; });
  return ok >= enough ? alone : visits;
}

}  // namespace gable::model
