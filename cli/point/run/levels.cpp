#include "cli/point/run/levels.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/folder.hpp"
#include "cli/profile/caches.hpp"
#include "model/profile/levels.hpp"

namespace gable::cli {
namespace {

model::LevelBytes level_of(const model::Traffic& traffic, const model::Level& level, double part) {
  model::LevelBytes bytes;
  bytes.level = level;
  bytes.read = part * traffic.fetched();
  bytes.written = part * (traffic.written_back + traffic.streamed);
  bytes.streamed = part * traffic.streamed;
  bytes.irregular = part * traffic.fetched(model::AccessOrder::independent);
  bytes.chained = part * traffic.fetched(model::AccessOrder::chained);
  return bytes;
}

std::vector<model::LevelBytes> levels_of(const model::ProfileRow& row,
                                         const std::vector<model::ProfileCache>& caches, double part) {
  std::vector<model::LevelBytes> levels;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const bool is_last = i + 1 == caches.size();
    levels.push_back(
        level_of(row.behind[i], is_last ? model::Level::memory() : model::Level(caches[i + 1].level), part));
  }
  return levels;
}

std::optional<model::Translation> translation_of(const model::ProfileRow& row, const model::ProfileTlb& tlb,
                                                 double part) {
  if (tlb.small.empty()) return std::nullopt;
  model::Translation translation = row.translation;
  for (model::PageWalks* walks : {&translation.small, &translation.huge})
    *walks = {part * walks->walks, part * walks->seconds_lo, part * walks->seconds_hi};
  return translation;
}

void set_function_levels(model::Point& point, const model::Profile& profile, const ProfileMachine& machine,
                         double part) {
  std::map<std::pair<std::string, std::string>, const model::ProfileRow*> named;
  const std::vector<model::ProfileRow> rows =
      profile_rows(profile, model::ProfileKey::function, machine.caches, machine.tlb);
  for (const model::ProfileRow& row : rows) named[{row.name, row.where}] = &row;
  for (model::FunctionWork& work : point.functions) {
    const auto row = named.find({work.function, model::without_folders(work.object)});
    if (row == named.end()) continue;
    work.levels = levels_of(*row->second, machine.caches, part);
    work.translation = translation_of(*row->second, machine.tlb, part);
  }
}

double bytes_of(const model::LevelBytes& level) {
  return level.read + level.written;
}

// The objects with a hundredth of the bytes of a level, the first ones of many.
void set_objects(model::Point& point, const model::Profile& profile,
                 const std::vector<model::ProfileCache>& caches, double part) {
  constexpr double little = 0.01;
  constexpr std::size_t most = 16;
  point.objects.clear();
  for (const model::ProfileRow& row : profile_rows(profile, model::ProfileKey::object, caches)) {
    model::ObjectBytes object{row.name, row.peak_bytes, levels_of(row, caches, part)};
    bool matters = false;
    for (std::size_t i = 0; i < point.levels.size(); ++i)
      matters = matters || bytes_of(object.levels[i]) > little * bytes_of(point.levels[i]);
    if (matters && point.objects.size() < most) point.objects.push_back(std::move(object));
  }
}

// Those of a region are as many as uses of lines.
double accesses_of(const model::Profile& profile, const model::ProfileRow& row, model::ProfileKey key) {
  if (key != model::ProfileKey::region) return row.loads + row.stores;
  for (const model::ProfileRow& each : model::profile_rows(profile, key, {{"none", 0, false}})) {
    if (each.name == row.name) return each.behind.front().fetched() / model::profile_line_bytes;
  }
  return 0;
}

model::Profile of_region(const model::Profile& profile, const std::string& region) {
  model::Profile part = profile;
  part.accesses.clear();  // they are not known by region
  std::erase_if(part.uses, [&](const model::ProfileUses& uses) { return uses.region != region; });
  return part;
}

}  // namespace

void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder) {
  if (!counts.profile) return;
  const bool recorded = std::filesystem::exists(file_in(folder, "machine.json"));
  const int threads = std::max(1, point.threads > 0 ? point.threads : counts.profile->threads);
  const ProfileMachine machine = profile_machine(recorded ? folder : "", std::max(point.cluster, 0), threads);
  const std::vector<model::ProfileCache>& caches = machine.caches;
  const auto key = point.region.empty() ? model::ProfileKey::program : model::ProfileKey::region;
  const std::vector<model::ProfileRow> rows = model::profile_rows(*counts.profile, key, caches, machine.tlb);
  const auto row = std::ranges::find_if(
      rows, [&](const model::ProfileRow& each) { return point.region.empty() || each.name == point.region; });
  if (row == rows.end()) return;
  const double all =
      static_cast<double>(counts.total.load_bytes.value_or(0) + counts.total.store_bytes.value_or(0));
  const double part = point.region.empty() && all > 0 ? (point.load_bytes + point.store_bytes) / all : 1;
  point.levels = levels_of(*row, caches, part);
  point.translation = translation_of(*row, machine.tlb, part);
  point.accesses = part * accesses_of(*counts.profile, *row, key);
  if (!point.functions.empty()) set_function_levels(point, *counts.profile, machine, part);
  set_objects(point, point.region.empty() ? *counts.profile : of_region(*counts.profile, point.region),
              caches, part);
}

}  // namespace gable::cli
