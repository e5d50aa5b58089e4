#include "model/records/add_profile.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace gable::model {
namespace {

void add(Distances& to, const Distances& more) {
  for (const auto& [bucket, lines] : more) to[bucket] += lines;
}

void add(UseCounts& to, const UseCounts& more) {
  for (int order = 0; order < access_orders; ++order) {
    add(to.read[order], more.read[order]);
    add(to.written[order], more.written[order]);
  }
  add(to.written_back, more.written_back);
}

void add(LineUses& to, const LineUses& more) {
  add(static_cast<UseCounts&>(to), static_cast<const UseCounts&>(more));
  for (const auto& [count, uses] : more.sets) add(to.sets[count], uses);
  add(to.near, more.near);
}

void add(ProfileUses& to, const ProfileUses& more) {
  add(to.own, more.own);
  add(to.all, more.all);
  to.streamed += more.streamed;
  add(to.pages, more.pages);
  add(to.huge_pages, more.huge_pages);
  add(to.chains, more.chains);
  to.contested += more.contested;
  to.contested_apart += more.contested_apart;
  to.strided += more.strided;
}

void add(ProfileAccesses& to, const ProfileAccesses& more) {
  to.loads += more.loads;
  to.stores += more.stores;
  to.load_bytes += more.load_bytes;
  to.store_bytes += more.store_bytes;
}

// Addresses differ from process to process, so callers are the same by image and offset.
auto identity(const ProfileObject& object) {
  std::vector<std::pair<std::string, std::uint64_t>> callers;
  for (const ProfileCaller& caller : object.callers) callers.emplace_back(caller.image, caller.offset);
  return std::tuple(object.kind, object.name, object.image, callers);
}

auto identity(const ProfilePlace& place) {
  return std::tuple(place.function, place.image, place.file, place.line, place.loop);
}

void combine(ProfileObject& to, const ProfileObject& more) {
  to.blocks += more.blocks;
  to.peak_bytes += more.peak_bytes;
  to.born = std::min(to.born, more.born);
  to.died = std::max(to.died, more.died);
}

void combine(ProfilePlace&, const ProfilePlace&) {}

// Where each record of `more` lies in `to`, after the new ones were added.
template <typename Record>
std::vector<int> indices_in(std::vector<Record>& to, const std::vector<Record>& more) {
  std::map<decltype(identity(more.front())), int> known;
  for (std::size_t i = 0; i < to.size(); ++i) known.try_emplace(identity(to[i]), i);
  std::vector<int> indices;
  for (const Record& record : more) {
    const auto [found, is_new] = known.try_emplace(identity(record), to.size());
    if (is_new) {
      to.push_back(record);
    } else {
      combine(to[found->second], record);
    }
    indices.push_back(found->second);
  }
  return indices;
}

template <typename Record, typename Key>
void add_records(std::vector<Record>& to, std::vector<Record> more, const std::vector<int>& places,
                 const std::vector<int>& objects, Key key) {
  std::map<decltype(key(more.front())), std::size_t> known;
  for (std::size_t i = 0; i < to.size(); ++i) known.try_emplace(key(to[i]), i);
  for (Record& record : more) {
    record.place = places[record.place];
    if (record.object >= 0) record.object = objects[record.object];
    const auto [found, is_new] = known.try_emplace(key(record), to.size());
    if (is_new) {
      to.push_back(std::move(record));
    } else {
      add(to[found->second], record);
    }
  }
}

void add_records_of(Profile& to, const Profile& more, const std::vector<int>& places,
                    const std::vector<int>& objects) {
  add_records(to.accesses, more.accesses, places, objects,
              [](const ProfileAccesses& of) { return std::pair(of.place, of.object); });
  add_records(to.uses, more.uses, places, objects,
              [](const ProfileUses& of) { return std::tuple(of.place, of.object, of.region); });
}

// Adds each record to the one with the same key, or as a new one.
template <typename Record, typename Key, typename Add>
void add_by(const Key& key, std::vector<Record>& to, const std::vector<Record>& more, const Add& add_to) {
  for (const Record& record : more) {
    const auto same = std::ranges::find(to, key(record), key);
    if (same == to.end()) {
      to.push_back(record);
    } else {
      add_to(*same, record);
    }
  }
}

}  // namespace

void add_work(FunctionWork& to, const FunctionWork& more) {
  to.flops += more.flops;
  to.load_bytes += more.load_bytes;
  to.store_bytes += more.store_bytes;
  to.instructions += more.instructions;
  if (more.translation) {
    if (!to.translation) to.translation = Translation();
    to.translation->small += more.translation->small;
    to.translation->huge += more.translation->huge;
  }
  add_by([](const LevelBytes& bytes) { return bytes.level; }, to.levels, more.levels,
         [](LevelBytes& known, const LevelBytes& bytes) { known += bytes; });
  add_by([](const Arithmetic& work) { return std::tie(work.op, work.precision, work.vector_bits); },
         to.arithmetic, more.arithmetic,
         [](Arithmetic& known, const Arithmetic& work) { known.flops += work.flops; });
}

void add_profile(Profile& to, const Profile& more) {
  const std::vector<int> places = indices_in(to.places, more.places);
  const std::vector<int> objects = indices_in(to.objects, more.objects);
  add_records_of(to, more, places, objects);
  add_by([](const FunctionWork& work) { return std::tie(work.function, work.object, work.loop); },
         to.functions, more.functions, add_work);
  // Threads and addresses of several processes are not the same.
  to.pages.clear();
  to.shared.clear();
  to.busiest_thread = to.span = to.serial = 0;
  to.barriers = std::max(to.barriers, more.barriers);  // at the same time
  to.lines_followed = std::min(to.lines_followed, more.lines_followed);
  to.pages_followed = std::min(to.pages_followed, more.pages_followed);
  to.sets_followed = std::min(to.sets_followed, more.sets_followed);
  to.sets_error = std::max(to.sets_error, more.sets_error);
}

void join_same_places(Profile& profile) {
  Profile apart = profile;
  profile.places.clear();
  profile.accesses.clear();
  profile.uses.clear();
  std::vector<int> objects(profile.objects.size());
  std::iota(objects.begin(), objects.end(), 0);
  add_records_of(profile, apart, indices_in(profile.places, apart.places), objects);
}

}  // namespace gable::model
