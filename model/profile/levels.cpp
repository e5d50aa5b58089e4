#include "model/profile/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/sorting.hpp"

namespace gable::model {
namespace {

std::string text_of(const ProfilePlace& place) {
  if (!place.file.empty()) return fmt::format("{}:{}", without_folders(place.file), place.line);
  return function_name(place.function);
}

struct Group {
  std::string name, where;
  std::uint64_t loop = 0;

  auto operator<=>(const Group&) const = default;
};

// Where only some lines or sets are followed, they may stand for more misses than there are accesses. An
// access misses a line, and one more for 64 bytes.
void keep_to_accesses(ProfileRow& row) {
  const double accesses = row.loads + row.stores;
  if (accesses > 0 && row.contested > accesses) {
    row.contested_apart *= accesses / row.contested;
    row.contested = accesses;
  }
  const double most = profile_line_bytes * (row.loads + row.stores) + row.load_bytes + row.store_bytes;
  for (std::size_t i = 0; i < row.behind.size(); ++i) {
    Traffic& traffic = row.behind[i];
    const double fetched = traffic.fetched();
    if (most <= 0 || fetched <= most) continue;
    const double part = most / fetched;
    for (int order = 0; order < access_orders; ++order) {
      traffic.read[order] *= part;
      traffic.written[order] *= part;
    }
    for (double* sum : {&row.near[i], &row.strided[i]}) *sum *= part;
    for (SpanSums* sums : {&row.spans[i].irregular, &row.spans[i].chained}) *sums *= part;
  }
}

bool is_last_own(const std::vector<ProfileCache>& caches, std::size_t at) {
  return !caches[at].is_shared && (at + 1 == caches.size() || caches[at + 1].is_shared);
}

// Bytes of few misses among many uses have errors of sampling, so their difference may exceed them.
void keep_to_bytes(ProfileRow& row, const std::vector<ProfileCache>& caches) {
  for (std::size_t i = 0; i < row.conflicts.size(); ++i)
    row.conflicts[i] = std::max(0.0, std::min(row.conflicts[i], row.behind[i].total()));
  for (std::size_t i = 0; i < caches.size(); ++i) {
    if (is_last_own(caches, i)) row.from_cores = std::min(row.from_cores, row.behind[i].fetched());
  }
}

// Of the independent lines.
double strided_part(const ProfileUses& uses) {
  constexpr auto independent = static_cast<std::size_t>(AccessOrder::independent);
  double lines = 0;
  for (const Distances* of : {&uses.own.read[independent], &uses.own.written[independent]}) {
    for (const auto& [bucket, count] : *of) lines += count;
  }
  return lines > 0 ? std::min(1.0, uses.strided / lines) : 0;
}

// What a row matters: its bytes, each level's as often as it is slower than the one before on most machines.
double weight_of(const ProfileRow& row) {
  double weight = row.load_bytes + row.store_bytes, slower = 1;
  for (const Traffic& traffic : row.behind) weight += (slower *= 4) * traffic.total();
  return weight;
}

// Walks that the figures of the memory's lines contain: one for each page of lines in order, and one for each
// other line.
double walks_in_figures(const Traffic& memory, double page_bytes) {
  const double unordered = memory.fetched(AccessOrder::independent) + memory.fetched(AccessOrder::chained);
  const double in_order = memory.fetched(AccessOrder::sequential) + memory.streamed;
  return in_order / page_bytes + unordered / profile_line_bytes;
}

// Changes of the page to one that the levels of the TLB no longer hold, without those that the figures of
// the memory's lines contain.
PageWalks page_walks(const Distances& pages, double page_bytes, const std::vector<TlbReach>& levels,
                     const Traffic& memory) {
  const double in_figures = walks_in_figures(memory, page_bytes);
  PageWalks all;
  for (const TlbReach& level : levels) {
    const double walks = std::max(0.0, at_least(pages, level.bytes / page_bytes) - in_figures);
    if (&level == &levels.front()) all.walks = walks;
    all.seconds_lo += walks * level.ns_lo * 1e-9;
    all.seconds_hi += walks * level.ns_hi * 1e-9;
  }
  return all;
}

// Rows by what identifies them.
class Rows {
 public:
  Rows(const Profile& profile, ProfileKey key, const std::vector<ProfileCache>& caches, const ProfileTlb& tlb,
       const std::set<int>* objects)
      : profile_(profile),
        key_(key),
        caches_(caches),
        tlb_(tlb),
        objects_(objects),
        footprint_(footprint_of(profile)) {}

  std::vector<ProfileRow> take() {
    if (key_ != ProfileKey::region) {
      for (const ProfileAccesses& accesses : profile_.accesses) {
        if (counts(accesses.object)) add(accesses);
      }
    }
    for (const ProfileUses& uses : profile_.uses) {
      if (counts(uses.object)) add(uses);
    }
    add_functions();
    std::vector<ProfileRow> rows;
    for (auto& [key, row] : rows_) {
      keep_to_accesses(row);
      keep_to_bytes(row, caches_);
      add_lives(of_rows_[key], row);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool counts(int object) const { return objects_ == nullptr || objects_->contains(object); }

  ProfileRow& row(int place, int object, const std::string& region) {
    const Group group = group_of(place, object, region);
    ProfileRow& row = rows_[group];
    row.name = group.name;
    row.where = group.where;
    row.loop = group.loop;
    if (row.behind.empty()) {
      row.behind.resize(caches_.size());
      row.conflicts.resize(caches_.size());
      row.strided.resize(caches_.size());
      row.near.resize(caches_.size());
      row.spans.resize(caches_.size());
    }
    if (key_ == ProfileKey::object && object >= 0) of_rows_[group].insert(object);
    return row;
  }

  // The most that the objects of a row had at a time: a peak is where one of them begins to live.
  std::uint64_t peak_of(const std::set<int>& objects) const {
    std::uint64_t most = 0;
    for (const int first : objects) {
      const double now = profile_.objects[first].born;
      std::uint64_t sum = 0;
      for (const int each : objects) {
        const ProfileObject& object = profile_.objects[each];
        if (each == first || (object.born <= now && object.died > now)) sum += object.peak_bytes;
      }
      most = std::max(most, sum);
    }
    return most;
  }

  void add_lives(const std::set<int>& objects, ProfileRow& row) const {
    if (objects.empty()) return;
    row.peak_bytes = peak_of(objects);
    if (row.peak_bytes == 0) return;  // what has no size is not known to have begun or ended
    row.born = 1;
    row.died = 0;
    for (const int each : objects) {
      const ProfileObject& object = profile_.objects[each];
      if (object.peak_bytes == 0) continue;
      row.blocks += object.blocks;
      row.born = std::min(row.born, object.born);
      row.died = std::max(row.died, object.died);
    }
  }

  Group group_of(int place, int object, const std::string& region) const {
    switch (key_) {
      case ProfileKey::program:
        return {"the program", ""};
      case ProfileKey::function: {
        const ProfilePlace& of = profile_.places[place];
        return {of.function, without_folders(of.image), of.loop};
      }
      case ProfileKey::line:
        return {text_of(profile_.places[place]), profile_.places[place].function};
      case ProfileKey::region:
        return {region.empty() ? "outside of regions" : region, ""};
      case ProfileKey::object:
        break;
    }
    if (object < 0) return {"not known", ""};
    return {object_name(profile_.objects[object]), without_folders(profile_.objects[object].image)};
  }

  void add(const ProfileAccesses& accesses) {
    ProfileRow& to = row(accesses.place, accesses.object, "");
    to.loads += accesses.loads;
    to.stores += accesses.stores;
    to.load_bytes += accesses.load_bytes;
    to.store_bytes += accesses.store_bytes;
  }

  void add(const ProfileUses& uses) {
    ProfileRow& to = row(uses.place, uses.object, uses.region);
    Traffic memory;
    for (std::size_t i = 0; i < caches_.size(); ++i) {
      const ProfileCache& cache = caches_[i];
      const LineUses& lines = cache.is_shared ? uses.all : uses.own;
      memory = of_all_lines(cache, [&](const auto& sized) { return traffic_behind(profile_, uses, sized); });
      if (knows_conflicts(profile_, cache)) {
        const Traffic spread =
            of_all_lines(cache, [&](const auto& sized) { return traffic_behind_spread(lines, sized); });
        const Traffic full =
            of_all_lines(cache, [&](const auto& sized) { return traffic_behind(lines, sized.bytes); });
        to.conflicts[i] += memory.total() - std::max(spread.total(), full.total());
      }
      to.spans[i] += spans_of(lines, memory, cache.bytes, footprint_);
      if (is_last_own(caches_, i))
        to.from_cores += from_other_caches(uses, memory.fetched(), cache.bytes * profile_.threads);
      if (i + 1 == caches_.size()) memory.streamed = profile_line_bytes * uses.streamed;
      to.near[i] += at_least(lines.near, cache.bytes / profile_line_bytes);
      to.strided[i] += strided_part(uses) * memory.fetched(AccessOrder::independent);
      to.behind[i] += memory;
    }
    to.translation.small += page_walks(uses.pages, 4096, tlb_.small, memory);
    to.translation.huge += page_walks(uses.huge_pages, 2 << 20, tlb_.huge, memory);
    to.contested += uses.contested;
    to.contested_apart += uses.contested_apart;
    for (const auto& [power, lines] : uses.chains) {
      Chains& chains = chains_[{to.name, to.where, to.loop}];
      chains.lines += lines;
      chains.sum += lines * std::exp2(power + 0.5);
      to.chain = chains.sum / chains.lines;
    }
  }

  void add_functions() {
    if (key_ != ProfileKey::function && key_ != ProfileKey::program) return;
    for (const FunctionWork& work : profile_.functions) {
      const Group function{work.function, without_folders(work.object), work.loop};
      const auto found = rows_.find(key_ == ProfileKey::program ? Group{"the program", ""} : function);
      if (found == rows_.end()) continue;
      found->second.flops += work.flops;
      if (key_ == ProfileKey::function) found->second.line = work.line;
    }
  }

  struct Chains {
    double lines = 0, sum = 0;
  };

  const Profile& profile_;
  ProfileKey key_;
  const std::vector<ProfileCache>& caches_;
  const ProfileTlb& tlb_;
  const std::set<int>* objects_;
  double footprint_;
  std::map<Group, ProfileRow> rows_;
  std::map<Group, std::set<int>> of_rows_;  // the objects of each row
  std::map<Group, Chains> chains_;
};

}  // namespace

std::vector<ProfileRow> profile_rows(const Profile& profile, ProfileKey key,
                                     const std::vector<ProfileCache>& caches, const ProfileTlb& tlb,
                                     const std::set<int>* objects) {
  std::vector<ProfileRow> rows = Rows(profile, key, caches, tlb, objects).take();
  sort_with(rows, [](const ProfileRow& a, const ProfileRow& b) { return weight_of(a) > weight_of(b); });
  return rows;
}

std::vector<LevelBytes> levels_of_nothing(const std::vector<ProfileCache>& caches) {
  std::vector<LevelBytes> levels(caches.size());
  for (std::size_t i = 0; i < caches.size(); ++i)
    levels[i].level = i + 1 == caches.size() ? Level::memory() : Level(caches[i + 1].level);
  return levels;
}

std::vector<LevelBytes> levels_behind(const ProfileRow& row, const std::vector<ProfileCache>& caches,
                                      double part) {
  std::vector<LevelBytes> levels = levels_of_nothing(caches);
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const Traffic& traffic = row.behind[i];
    LevelBytes& bytes = levels[i];
    bytes.read = part * traffic.fetched();
    bytes.written = part * (traffic.written_back + traffic.streamed);
    bytes.streamed = part * traffic.streamed;
    bytes.conflicts = part * row.conflicts[i];
    if (is_last_own(caches, i)) {
      bytes.from_cores = part * row.from_cores;
      bytes.contested = part * profile_line_bytes * row.contested;
      bytes.contested_apart = part * profile_line_bytes * row.contested_apart;
    }
    bytes.irregular = part * traffic.fetched(AccessOrder::independent);
    bytes.irregular_stored = part * traffic.written[static_cast<std::size_t>(AccessOrder::independent)];
    bytes.strided = std::min(bytes.irregular, part * row.strided[i]);
    bytes.near = part * std::max(0.0, row.near[i]);
    bytes.chained = part * traffic.fetched(AccessOrder::chained);
    const auto& [irregular, chained] = row.spans[i];
    bytes.irregular_spans = part * irregular.logs;
    bytes.irregular_squares = part * irregular.squares;
    bytes.irregular_cubes = part * irregular.cubes;
    bytes.chained_spans = part * chained.logs;
    bytes.chained_squares = part * chained.squares;
    bytes.chained_cubes = part * chained.cubes;
  }
  return levels;
}

std::optional<Translation> walks_of(const ProfileRow& row, const ProfileTlb& tlb, double part) {
  if (tlb.small.empty()) return std::nullopt;
  Translation translation = row.translation;
  translation *= part;
  return translation;
}

double contested_share(const Profile& profile) {
  double accesses = 0, contested = 0;
  for (const ProfileAccesses& of : profile.accesses) accesses += of.loads + of.stores;
  for (const ProfileUses& of : profile.uses) contested += of.contested;
  return accesses > 0 ? std::min(1.0, contested / accesses) : 0;
}

double share_error(const Profile& profile) {
  if (profile.lines_followed >= 1) return 0;
  double lines = 0;
  for (const ProfileUses& uses : profile.uses) {
    for (int order = 0; order < access_orders; ++order) {
      lines += at_least(uses.all.read[order], 1e300) + at_least(uses.all.written[order], 1e300);
    }
  }
  return lines > 0 ? 1 / std::sqrt(lines * profile.lines_followed) : 1;
}

}  // namespace gable::model
