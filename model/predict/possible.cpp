#include "model/predict/possible.hpp"

#include <algorithm>
#include <set>

#include "base/lists.hpp"
#include "model/points/threads.hpp"
#include "model/predict/estimates/usual_core.hpp"
#include "model/predict/uneven_work.hpp"
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

struct PossibleCaches {
  std::vector<ProfileCache> caches;
  bool divided = false, claimed = false;
};

bool are_alike(const std::vector<ProfileCache>& a, const std::vector<ProfileCache>& b) {
  return std::ranges::equal(a, b, [](const ProfileCache& one, const ProfileCache& other) {
    return one.bytes == other.bytes && one.by_chance == other.by_chance;
  });
}

std::vector<PossibleCaches> possible_caches(const Program& program, const Setting& setting) {
  const int threads = std::max(1, setting.like.threads);
  std::vector<PossibleCaches> possible = {{setting.caches}};
  if (!setting.claimed.empty() && !are_alike(setting.claimed, setting.caches))
    possible.push_back({setting.claimed, false, true});
  if (program.threads <= 0 || program.threads == threads) return possible;
  if (threads == 1) {
    for (PossibleCaches& one : possible) one.caches = caches_of_one(one.caches);
    return possible;
  }
  for (std::size_t i = 0, count = possible.size(); i < count; ++i)
    possible.push_back(
        {divided_caches(possible[i].caches, program.threads, threads), true, possible[i].claimed});
  return possible;
}

double thread_seconds_of(const Point& point) {
  return point.seconds * std::max(1, point.threads);
}

// Why the memory of an object has no time; empty: all have one.
std::string refusal_of_objects(const Setting& setting, const std::vector<ProfileCache>& caches,
                               const FunctionWork& sum, double thread_seconds) {
  std::string refusal;
  for (const PlacedObject& object : setting.objects) {
    Point like = setting.like;
    forget_access(like);
    like.node_bytes = {{object.node, 1}};
    if (refusal.empty())
      refusal = estimated_roofs(*setting.roofs, like, caches, sum, thread_seconds, setting.hybrid,
                                Estimated::middle)
                    .refusal;
  }
  return refusal;
}

// What parts need with one of the values of the roofs that were estimated.
struct EstimatedNeeds {
  std::vector<PartNeeds> parts;
  Notes missing;
  std::string refusal;
};

// What parts of a program need in a setting, with every value of the roofs that were estimated.
class NeedsInSetting {
 public:
  NeedsInSetting(const Setting& setting, double lone, const Setting* timed)
      : setting_(setting),
        lone_(lone),
        thread_seconds_(timed == nullptr ? 0 : thread_seconds_of(timed->like)) {}

  // Behind these caches.
  void add(const WorkParts& parts, const PossibleCaches& behind, std::size_t work) {
    all_.refusal = refusal_of_objects(setting_, behind.caches, sum_of_parts(parts), thread_seconds_);
    if (!all_.refusal.empty()) return;
    for (const Estimated which : {Estimated::middle, Estimated::fast, Estimated::slow}) {
      EstimatedNeeds needs = estimated(parts, behind.caches, setting_.like, which);
      add_lone_work(parts, behind.caches, which, needs);
      all_.refusal = needs.refusal;
      if (!all_.refusal.empty()) return;
      for (const Note& what : needs.missing) add_once(all_.missing, what);
      all_.needs.push_back({std::move(needs.parts), behind.divided, behind.claimed, which, work});
      if (needs.missing.empty()) return;  // nothing was estimated
      all_.estimated = true;
    }
  }

  AllNeeds& all() { return all_; }

 private:
  EstimatedNeeds estimated(const WorkParts& parts, const std::vector<ProfileCache>& caches, const Point& like,
                           Estimated which) const {
    const FunctionWork work = sum_of_parts(parts);
    EstimatedRoofs estimated =
        estimated_roofs(*setting_.roofs, like, caches, work, thread_seconds_, setting_.hybrid, which);
    if (thread_seconds_ <= 0) add_usual_core(like, work, which, estimated);
    EstimatedNeeds needs{{}, estimated.missing, estimated.refusal};
    if (needs.refusal.empty()) needs.parts = needs_of_parts({&estimated.roofs, setting_.hybrid}, parts);
    return needs;
  }

  // The same if one thread does this part of the work alone. Without figures for one thread, all of it is
  // divided.
  void add_lone_work(const WorkParts& parts, const std::vector<ProfileCache>& caches, Estimated which,
                     EstimatedNeeds& needs) const {
    const std::set<int> clusters = clusters_of(*setting_.roofs);
    if (lone_ < least_lone_part || !needs.refusal.empty() || clusters.empty()) return;
    const int first = *clusters.begin();
    const EstimatedNeeds alone =
        estimated(of_one_thread(parts, first), caches, of_one_thread(setting_.like, first), which);
    if (!alone.refusal.empty()) return;
    needs.parts = mixed_needs(std::move(needs.parts), alone.parts, lone_);
    for (const Note& what : alone.missing) add_once(needs.missing, what);
  }

  const Setting& setting_;
  double lone_;
  double thread_seconds_;  // where it was timed; 0: nowhere
  AllNeeds all_;
};

// Whether both may be true at once. What was estimated on one machine is the same before and after.
bool go_together(const SettingNeeds& before, const SettingNeeds& after, const Setting& here,
                 const Setting& there, bool estimated) {
  if (before.work != after.work) return false;
  const bool same_threads = here.like.threads == there.like.threads;
  if (same_threads && before.divided != after.divided) return false;
  if (here.machine != there.machine) return true;
  if (estimated && before.roofs != after.roofs) return false;
  return before.claimed == after.claimed;
}

// Removes page walks. If only one machine has figures for them, they would look like a difference between the
// machines. Returns their number.
std::size_t drop_walks(std::vector<PartNeeds>& parts) {
  std::size_t dropped = 0;
  for (PartNeeds& part : parts)
    dropped +=
        std::erase_if(part.needs, [](const NeedTime& need) { return need.group == NeedTime::Group::walks; });
  return dropped;
}

// `factor`: core_speed() of the program.
NeedsPair pair_of(const SettingNeeds& before, const SettingNeeds& after, const Setting& there,
                  const Setting& here, double factor, Notes& missing) {
  NeedsPair pair{before.parts, after.parts, 0, 0, after.roofs, before.claimed || after.claimed};
  pair.likely = before.roofs == Estimated::middle && after.roofs == Estimated::middle;
  pair.work = after.work;
  if (here.tlb.small.empty() != there.tlb.small.empty()) {
    const std::size_t before_alone = drop_walks(pair.before);
    drop_walks(pair.after);
    if (before_alone > 0) add_once(missing, NoteCode::missing_walks);
  }
  for (const NeedTime& need : align_core(pair.before, pair.after, factor, core_doubt(here, there))) {
    const Note bandwidth(NoteCode::missing_bandwidth, {need.unit});
    const bool said = (need.of_peak && has(missing, NoteCode::missing_peaks)) || is_among(missing, bandwidth);
    if (!said) add_once(missing, {NoteCode::missing_rate, {need.unit}});
  }
  pair.core_before = core_time(pair.before);
  pair.core_after = core_time(pair.after);
  return pair;
}

// How it is divided among the threads of a region is not known.
double lone_part_of(const Program& program, const Setting& setting) {
  if (!setting.like.region.empty()) return 0;
  return program.threads == 1 ? program.serial
                              : lone_part(program.busiest_thread, program.threads, used_cores(setting));
}

// As a part of the time on one core.
double time_on_cores(const Program& program, const Setting& setting) {
  const double lone = lone_part_of(program, setting);
  return lone + (1 - lone) / used_cores(setting);
}

}  // namespace

ObjectNodes object_nodes(const Setting& setting) {
  ObjectNodes nodes;
  for (const PlacedObject& object : setting.objects) {
    for (const int index : object.indices) nodes[index] = object.node;
  }
  return nodes;
}

int used_cores(const Setting& setting) {
  const int cluster = std::max(0, setting.like.cluster);
  const int used = cores_used(*setting.roofs, setting.like, cluster);
  const int threads = std::max(1, setting.like.threads);
  return std::max(1, setting.like.cluster >= 0 ? std::min(used, threads) : threads);
}

bool knows_clocks(const Setting& here, const Setting& there) {
  return here.clock_ghz > 0 && there.clock_ghz > 0;
}

double core_doubt(const Setting& here, const Setting& there) {
  constexpr PredictParameters parameters;
  return knows_clocks(here, there) ? parameters.unknown_per_clock : parameters.unknown_core;
}

double core_speed(const Program& program, const Setting& here, const Setting& there) {
  const double cores = time_on_cores(program, there) / time_on_cores(program, here);
  return knows_clocks(here, there) ? cores * here.clock_ghz / there.clock_ghz : cores;
}

AllNeeds needs_in(const Program& program, const Setting& setting, const Setting* timed) {
  NeedsInSetting needs(setting, lone_part_of(program, setting), timed);
  std::vector<WorkFor> works = program.others;
  works.insert(works.begin(), program.work);
  for (std::size_t work = 0; work < works.size(); ++work) {
    for (const PossibleCaches& one : possible_caches(program, setting)) {
      needs.add(works[work](one.caches, setting), one, work);
      if (!needs.all().refusal.empty()) return std::move(needs.all());
    }
  }
  return std::move(needs.all());
}

PossibleNeeds possible_needs(const Program& program, const Setting& there, const TimedSetting* here) {
  AllNeeds after = needs_in(program, there, here == nullptr ? nullptr : &here->setting);
  PossibleNeeds possible{{}, std::move(after.missing), std::move(after.refusal)};
  if (possible.refusal.empty() && here != nullptr && !here->needs.refusal.empty())
    possible.refusal = "where it was timed: " + here->needs.refusal;
  if (!possible.refusal.empty()) return possible;
  const double factor = here == nullptr ? 1 : core_speed(program, here->setting, there);
  for (const SettingNeeds& one : after.needs) {
    if (here == nullptr) {
      possible.pairs.push_back({{},
                                one.parts,
                                0,
                                core_time(one.parts),
                                one.roofs,
                                one.claimed,
                                one.roofs == Estimated::middle,
                                one.work});
      continue;
    }
    for (const SettingNeeds& other : here->needs.needs) {
      const bool estimated = here->needs.estimated && after.estimated;
      if (go_together(other, one, here->setting, there, estimated))
        possible.pairs.push_back(pair_of(other, one, there, here->setting, factor, possible.missing));
    }
  }
  return possible;
}

}  // namespace gable::model
