#include "model/virt/tlbs.hpp"

#include <algorithm>

namespace gable::model {
namespace {

std::vector<TlbReach> reaches_of(const WalkLadder* ladder) {
  std::vector<TlbReach> reaches;
  if (ladder == nullptr || !ladder->fit.unknown.empty()) return reaches;
  for (const TlbLevel& level : ladder->fit.levels)
    reaches.push_back({level.reach.value, std::max(0.0, level.cost.lo), std::max(0.0, level.cost.hi)});
  return reaches;
}

}  // namespace

ProfileTlb tlb_of(const VirtSummary& summary) {
  ProfileTlb tlb = {reaches_of(summary.ladder(VirtPages::small)),
                    reaches_of(summary.ladder(VirtPages::huge))};
  if (tlb.huge.empty()) tlb.huge = reaches_of(summary.ladder(VirtPages::transparent));
  return tlb;
}

}  // namespace gable::model
