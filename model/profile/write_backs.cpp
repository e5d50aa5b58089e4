#include "model/profile/write_backs.hpp"

#include <algorithm>
#include <map>

#include "model/profile/spans.hpp"
#include "model/profile/traffic.hpp"

namespace gable::model {
namespace {

// What limits the bytes that a cache writes back.
struct WriteBacks {
  double least = 0, fetched = 0, fetched_again = 0;
  double of_a_page = 0;  // written back by a cache of 64 sets with as many ways

  WriteBacks& operator+=(const WriteBacks& more) {
    least += more.least;
    fetched += more.fetched;
    fetched_again += more.fetched_again;
    of_a_page += more.of_a_page;
    return *this;
  }
};

WriteBacks write_backs(const Profile& profile, const ProfileUses& uses, const ProfileCache& cache) {
  const Traffic all =
      of_all_lines(cache, [&](const auto& sized) { return traffic_behind(profile, uses, sized); });
  const auto with_64_sets = [&](int ways) {
    ProfileCache small = cache;
    small.ways = ways;
    small.bytes = static_cast<double>(profile_line_bytes) * sets_of_page * ways;
    return traffic_behind(profile, uses, small);
  };
  constexpr int endless = 1 << 30;  // only first uses miss
  return {all.written_back, all.fetched(), all.fetched() - with_64_sets(endless).fetched(),
          with_64_sets(cache.ways).written_back};
}

}  // namespace

std::vector<double> may_write_more(const Profile& profile, const std::vector<ProfileCache>& caches) {
  std::vector<double> more;
  for (const ProfileCache& cache : caches) {
    more.push_back(0);
    if (!knows_conflicts(profile, cache) || !writes_back_at_least(cache)) continue;
    std::map<int, WriteBacks> of_objects;
    for (const ProfileUses& uses : profile.uses) of_objects[uses.object] += write_backs(profile, uses, cache);
    for (const auto& [object, of] : of_objects)
      more.back() +=
          std::max(0.0, std::min({of.fetched - of.least, of.of_a_page - of.least, of.fetched_again}));
  }
  return more;
}

}  // namespace gable::model
