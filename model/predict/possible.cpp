#include "model/predict/possible.hpp"

#include <algorithm>

#include "model/records/add_profile.hpp"

namespace gable::model {
namespace {

FunctionWork sum_of_parts(const WorkParts& parts) {
  FunctionWork sum;
  for (const WorkPart& part : parts) {
    const Point& point = part.point;
    add_work(sum, {"", "", point.flops, point.load_bytes, point.store_bytes, point.levels, point.arithmetic,
                   point.instructions, point.translation});
  }
  return sum;
}

// What it needs in a setting, with these caches and this choice of the roofs.
struct SettingNeeds {
  std::vector<PartNeeds> parts;
  std::size_t caches = 0;
  Estimated roofs = Estimated::middle;
};

struct AllNeeds {
  std::vector<SettingNeeds> needs;
  std::vector<std::string> missing;
  std::string refusal;
};

std::vector<std::vector<ProfileCache>> possible_caches(const Program& program, const Setting& setting) {
  const int threads = std::max(1, setting.like.threads);
  std::vector<std::vector<ProfileCache>> possible = {setting.caches};
  if (program.threads > 0 && program.threads != threads)
    possible.push_back(divided_caches(setting.caches, program.threads, threads));
  return possible;
}

AllNeeds needs_in(const Program& program, const Setting& setting) {
  AllNeeds all;
  const auto caches = possible_caches(program, setting);
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const WorkParts parts = program.work(caches[i], setting);
    const FunctionWork sum = sum_of_parts(parts);
    for (const Estimated which : {Estimated::middle, Estimated::fast, Estimated::slow}) {
      EstimatedRoofs estimated =
          estimated_roofs(*setting.roofs, setting.like, caches[i], sum, setting.hybrid, which);
      all.refusal = estimated.refusal;
      all.missing = estimated.missing;
      if (!all.refusal.empty()) return all;
      all.needs.push_back({needs_of_parts({&estimated.roofs, setting.hybrid}, parts), i, which});
      if (all.missing.empty()) break;  // nothing was estimated
    }
  }
  return all;
}

// Whether both may be true at once.
bool go_together(const SettingNeeds& before, const SettingNeeds& after, bool same_machine,
                 bool same_threads) {
  if (same_machine && before.roofs != after.roofs) return false;
  return !same_threads || before.caches == after.caches;
}

NeedsPair pair_of(const std::vector<PartNeeds>& before, const SettingNeeds& after) {
  NeedsPair pair{before, after.parts, core_time(before), core_time(after.parts), after.roofs};
  keep_common_core(pair.before, pair.after);
  return pair;
}

}  // namespace

PossibleNeeds possible_needs(const Program& program, const Setting& there, const Setting* here) {
  AllNeeds after = needs_in(program, there), before;
  if (here != nullptr) before = needs_in(program, *here);
  PossibleNeeds possible{{}, std::move(after.missing), std::move(after.refusal)};
  if (possible.refusal.empty() && !before.refusal.empty())
    possible.refusal = "where it was timed: " + before.refusal;
  if (!possible.refusal.empty()) return possible;
  for (const SettingNeeds& one : after.needs) {
    if (here == nullptr) possible.pairs.push_back({{}, one.parts, 0, core_time(one.parts), one.roofs});
    for (const SettingNeeds& other : before.needs) {
      const bool estimated = before.needs.size() > 1 && after.needs.size() > 1;
      const bool same_machine = estimated && here->machine == there.machine;
      if (go_together(other, one, same_machine, here->like.threads == there.like.threads))
        possible.pairs.push_back(pair_of(other.parts, one));
    }
  }
  return possible;
}

}  // namespace gable::model
