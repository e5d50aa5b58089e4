#include "model/profile/bounded.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/profile/traffic.hpp"
#include "model/records/add_profile.hpp"

namespace gable::model {
namespace {

using Pair = std::pair<int, int>;  // place, object
constexpr std::size_t most_kept_pages = 4096;

double weight_of(const LineUses& uses) {
  double weight = 0, slower = 1;
  for (const double bytes : {32e3, 1e6, 32e6}) weight += (slower *= 4) * traffic_behind(uses, bytes).total();
  return weight;
}

// The pairs of a place and an object that matter most, at most so many.
std::set<Pair> largest(const Profile& profile, std::size_t most) {
  std::map<Pair, double> weights;
  for (const ProfileAccesses& of : profile.accesses)
    weights[{of.place, of.object}] += of.load_bytes + of.store_bytes;
  for (const ProfileUses& of : profile.uses) weights[{of.place, of.object}] += weight_of(of.all);
  std::vector<std::pair<double, Pair>> sorted;
  for (const auto& [pair, weight] : weights) sorted.emplace_back(-weight, pair);
  std::ranges::sort(sorted);
  std::set<Pair> kept;
  for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) kept.insert(sorted[i].second);
  return kept;
}

// Without the places and objects that no record uses; functions go with their places.
void prune(Profile& profile) {
  std::set<int> places, objects;
  const auto see = [&](const auto& records) {
    for (const auto& of : records) {
      places.insert(of.place);
      if (of.object >= 0) objects.insert(of.object);
    }
  };
  see(profile.accesses);
  see(profile.uses);
  const auto keep = [](auto& records, const std::set<int>& kept) {
    auto all = std::exchange(records, {});
    std::map<int, int> indices = {{-1, -1}};
    for (const int old : kept) {
      indices[old] = static_cast<int>(records.size());
      records.push_back(std::move(all[static_cast<std::size_t>(old)]));
    }
    return indices;
  };
  std::map<int, int> new_place = keep(profile.places, places), new_object = keep(profile.objects, objects);
  const auto move = [&](auto& records) {
    for (auto& of : records) {
      of.place = new_place[of.place];
      of.object = new_object[of.object];
    }
  };
  move(profile.accesses);
  move(profile.uses);
}

// Those that are, or are not, of these pairs, with their functions.
Profile part_of(const Profile& profile, const std::set<Pair>& pairs, bool inside) {
  Profile part = profile;
  const auto is_other = [&](const auto& of) { return pairs.contains({of.place, of.object}) != inside; };
  std::erase_if(part.accesses, is_other);
  std::erase_if(part.uses, is_other);
  std::set<std::tuple<std::string, std::string, std::uint64_t>> named;
  for (const Pair& pair : pairs) {
    const ProfilePlace& place = profile.places[static_cast<std::size_t>(pair.first)];
    named.emplace(place.function, place.image, place.loop);
  }
  std::erase_if(part.functions, [&](const FunctionWork& work) {
    return named.contains({work.function, work.object, work.loop}) != inside;
  });
  prune(part);
  return part;
}

}  // namespace

Profile bounded(const Profile& profile, std::size_t most) {
  const std::set<Pair> pairs = largest(profile, most);
  Profile kept = part_of(profile, pairs, true), others = part_of(profile, pairs, false);
  for (ProfilePlace& place : others.places) place = {other_functions, "", "", 0};
  for (ProfileObject& object : others.objects) {
    object = {};
    object.kind = ObjectKind::other;
    object.name = other_objects;
  }
  for (FunctionWork& work : others.functions) {
    work.function = other_functions;
    work.object.clear();
    work.loop = 0;
  }
  add_profile(kept, others);
  kept.shared = profile.shared;
  kept.busiest_thread = profile.busiest_thread;
  kept.span = profile.span;
  kept.barriers = profile.barriers;
  kept.serial = profile.serial;
  if (profile.pages.size() <= most_kept_pages) kept.pages = profile.pages;
  return kept;
}

}  // namespace gable::model
