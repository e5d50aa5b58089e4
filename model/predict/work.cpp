#include "model/predict/work.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "model/points/access.hpp"
#include "model/records/add_profile.hpp"

namespace gable::model {
namespace {

constexpr const char* others = "other functions";

using Levels = std::vector<LevelBytes>;
using Key = FunctionKey;  // with the name of the image alone

// A thread's part of what the whole program did.
FunctionWork work_times(FunctionWork work, double part) {
  work.flops *= part;
  work.load_bytes *= part;
  work.store_bytes *= part;
  for (Arithmetic& arithmetic : work.arithmetic) arithmetic.flops *= part;
  for (LevelBytes& level : work.levels) level *= part;
  work.instructions *= part;
  if (work.translation) *work.translation *= part;
  return work;
}

// The functions, and their loops that run for long, with their bytes by level. Functions of the same name and
// image have one row.
std::vector<FunctionWork> functions_behind(const Profile& profile, const std::vector<ProfileCache>& caches,
                                           const ProfileTlb& tlb) {
  std::map<Key, FunctionWork> by_name;
  for (const FunctionWork& work : profile.functions) {
    FunctionWork own = work;
    own.levels.clear();
    add_work(by_name[{work.function, without_folders(work.object), work.loop}], own);
  }
  std::vector<FunctionWork> functions;
  for (const ProfileRow& row : profile_rows(profile, ProfileKey::function, caches, tlb)) {
    const auto known = by_name.extract(Key{row.name, row.where, row.loop});
    FunctionWork work = known ? std::move(known.mapped()) : FunctionWork();
    work.function = row.name;
    work.loop = row.loop;
    work.line = row.line;
    if (work.object.empty()) work.object = row.where;
    work.levels = levels_behind(row, caches);
    work.translation = walks_of(row, tlb);
    functions.push_back(std::move(work));
  }
  for (auto& [key, work] : by_name) {
    work.levels = levels_of_nothing(caches);
    functions.push_back(std::move(work));
  }
  return functions;
}

void add_levels(Levels& to, Levels more, double part) {
  for (LevelBytes& level : more) level *= part;
  if (to.empty()) {
    to = std::move(more);
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

void add_nodes(NodeLevels& to, const NodeLevels& more, double part = 1) {
  for (const auto& [node, levels] : more) add_levels(to[node], levels, part);
}

// The bytes of each row, by the nodes of the objects. Nothing if all data lies as that of `like` does.
std::map<Key, NodeLevels> by_node(const Profile& profile, ProfileKey key,
                                  const std::vector<ProfileCache>& caches, const Point& like,
                                  const ObjectNodes& objects) {
  std::map<Key, NodeLevels> rows;
  if (objects.empty()) return rows;
  std::map<int, std::set<int>> on_node;
  std::set<int> elsewhere;
  for (int i = 0; i < std::ssize(profile.objects); ++i) {
    const auto placed = objects.find(i);
    (placed == objects.end() ? elsewhere : on_node[placed->second]).insert(i);
  }
  const auto add = [&](const std::set<int>& which, const std::map<int, double>& shares) {
    for (const ProfileRow& row : profile_rows(profile, key, caches, {}, &which)) {
      for (const auto& [node, share] : shares)
        add_levels(rows[{row.name, row.where, row.loop}][node], levels_behind(row, caches), share);
    }
  };
  add(elsewhere, node_shares(like));
  for (const auto& [node, which] : on_node) add(which, {{node, 1.0}});
  return rows;
}

double bytes_of(const FunctionWork& work) {
  return work.load_bytes + work.store_bytes;
}

// Few flops, and few bytes of every level.
bool is_small_part(const FunctionWork& work, const FunctionWork& all, const Point& whole) {
  constexpr double little = 0.001;
  if (!is_small(work, whole)) return false;
  for (std::size_t i = 0; i < work.levels.size(); ++i) {
    const LevelBytes &own = work.levels[i], &every = all.levels[i];
    if (own.read + own.written > little * (every.read + every.written)) return false;
  }
  return true;
}

WorkParts work_of_functions(const std::vector<FunctionWork>& functions, const Point& like, double part,
                            const std::map<Key, NodeLevels>& nodes = {}) {
  FunctionWork sum;
  for (const FunctionWork& work : functions) add_work(sum, work);
  const Point whole = point_of(like, sum);
  FunctionWork rest;
  NodeLevels rest_nodes;
  WorkParts all;
  for (const FunctionWork& work : functions) {
    const auto found = nodes.find({work.function, without_folders(work.object), work.loop});
    NodeLevels own;
    if (found != nodes.end()) add_nodes(own, found->second, part);
    if (is_small_part(work, sum, whole)) {
      add_work(rest, work);
      add_nodes(rest_nodes, own);
    } else {
      all.push_back({work.function, point_of(like, work_times(work, part)), std::move(own), work.loop});
    }
  }
  if (bytes_of(rest) > 0 || rest.flops > 0)
    all.push_back({others, point_of(like, work_times(rest, part)), std::move(rest_nodes)});
  return all;
}

WorkParts work_of_region(const Profile& profile, const std::vector<ProfileCache>& caches,
                         const ProfileTlb& tlb, const Point& like, const ObjectNodes& objects) {
  const std::vector<ProfileRow> rows = profile_rows(profile, ProfileKey::region, caches, tlb);
  const auto row = std::ranges::find(rows, like.region, &ProfileRow::name);
  if (row == rows.end()) throw Error::usage(like.name, "its profile has no region '" + like.region + "'");
  Point point = like;
  point.levels = levels_behind(*row, caches);
  point.translation = walks_of(*row, tlb);
  point.functions.clear();
  return {{like.region, point,
           by_node(profile, ProfileKey::region, caches, like, objects)[{row->name, row->where, 0}]}};
}

bool has_no_kinds(const FunctionWork& work) {
  return work.flops > 0 && work.arithmetic.empty();
}

// The part of the profile's work that is the Point's: less than 1 of one of several clusters.
double part_of(const std::vector<FunctionWork>& functions, const Point& like) {
  constexpr double all_of_it = 0.99;
  double sum = 0;
  for (const FunctionWork& work : functions) sum += bytes_of(work);
  const double own = like.load_bytes + like.store_bytes;
  const double part = sum > 0 && own > 0 ? own / sum : 1;
  return part < all_of_it ? part : 1;
}

}  // namespace

WorkParts work_parts(const Profile& profile, const std::vector<ProfileCache>& caches, const ProfileTlb& tlb,
                     const Point& like, const ObjectNodes& objects) {
  if (!like.region.empty()) return work_of_region(profile, caches, tlb, like, objects);
  const std::vector<FunctionWork> functions = functions_behind(profile, caches, tlb);
  WorkParts parts = work_of_functions(functions, like, part_of(functions, like),
                                      by_node(profile, ProfileKey::function, caches, like, objects));
  if (profile.barriers > 0) parts.push_back({"barriers", point_of(like, {}), {}, 0, profile.barriers});
  return parts;
}

WorkParts work_parts(const Point& point) {
  const bool by_function =
      !point.functions.empty() && point.region.empty() &&
      std::ranges::all_of(point.functions, [](const FunctionWork& work) { return !work.levels.empty(); });
  double listed = 0;
  for (const FunctionWork& work : point.functions) listed += bytes_of(work);
  constexpr double nearly_all = 0.98;
  if (by_function && listed >= nearly_all * (point.load_bytes + point.store_bytes))
    return work_of_functions(point.functions, point, 1);
  Point whole = point;
  whole.span = 0;  // as that of its functions
  return {{point.region.empty() ? point.name : point.region, std::move(whole), {}}};
}

bool lacks_arithmetic(const Profile& profile) {
  return std::ranges::any_of(profile.functions, has_no_kinds);
}

void complete_arithmetic(Profile& profile, const Point& point) {
  for (FunctionWork& work : profile.functions) {
    if (!has_no_kinds(work)) continue;
    const auto same = std::ranges::find(point.functions, key_of(work), key_of);
    const bool known = same != point.functions.end();
    work.arithmetic = known ? same->arithmetic : point.arithmetic;
    const double of = known ? same->flops : point.flops;
    for (Arithmetic& arithmetic : work.arithmetic) arithmetic.flops *= of > 0 ? work.flops / of : 0;
  }
}

std::vector<ProfileCache> divided_caches(std::vector<ProfileCache> caches, int profiled, int threads) {
  for (ProfileCache& cache : caches) {
    if (cache.is_shared) continue;
    cache.bytes *= static_cast<double>(threads) / profiled;
    cache.stream_bytes *= static_cast<double>(threads) / profiled;
  }
  return caches;
}

std::vector<ProfileCache> caches_of_one(std::vector<ProfileCache> caches) {
  for (ProfileCache& cache : caches) cache.is_shared = true;
  return caches;
}

}  // namespace gable::model
