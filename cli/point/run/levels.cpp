#include "cli/point/run/parts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "cli/folder.hpp"
#include "cli/profile/caches.hpp"
#include "model/points/access.hpp"
#include "model/profile/levels.hpp"
#include "model/profile/location.hpp"
#include "model/profile/write_backs.hpp"

namespace gable::cli {
namespace {

void set_function_levels(model::Point& point, const model::Profile& profile, const ProfileMachine& machine,
                         double part) {
  std::map<model::FunctionKey, const model::ProfileRow*> named;
  const std::vector<model::ProfileRow> rows =
      profile_rows(profile, model::ProfileKey::function, machine.caches, machine.tlb);
  for (const model::ProfileRow& row : rows) named[{row.name, row.where, row.loop}] = &row;
  for (model::FunctionWork& work : point.functions) {
    const auto row = named.find({work.function, model::without_folders(work.object), work.loop});
    if (row == named.end()) {
      work.levels = levels_of_nothing(machine.caches);
      continue;
    }
    work.levels = levels_behind(*row->second, machine.caches, part);
    work.translation = walks_of(*row->second, machine.tlb, part);
  }
}

double bytes_of(const model::LevelBytes& level) {
  return level.read + level.written;
}

// Sets the objects with a hundredth of the bytes of a level, the first ones of many, and what all of them may
// write back beyond the levels' bytes.
void set_objects(model::Point& point, const model::Profile& profile,
                 const std::vector<model::ProfileCache>& caches, double part) {
  constexpr double little = 0.01;
  constexpr std::size_t most = 16;
  point.objects.clear();
  const std::vector<model::ProfileRow> rows = profile_rows(profile, model::ProfileKey::object, caches);
  const std::vector<double> more = may_write_more(profile, caches);
  for (std::size_t i = 0; i < more.size(); ++i) point.levels[i].written_more = part * more[i];
  for (const model::ProfileRow& row : rows) {
    model::ObjectBytes object{row.name, row.peak_bytes, levels_behind(row, caches, part)};
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

// Whether these are about the point's shares of pages, which are a mean over the run: pages may move.
bool has_shares_of(const model::Point& point, const std::vector<model::MappedRange>& ranges) {
  constexpr double tolerance = 0.1;
  model::Point seen;
  for (const model::MappedRange& range : ranges) {
    for (const auto& [node, bytes] : range.node_bytes) seen.node_bytes[node] += bytes;
  }
  std::map<int, double> shares = model::node_shares(seen);
  const std::map<int, double> wanted = model::node_shares(point);
  return wanted.size() > 1 && std::ranges::all_of(wanted, [&](const auto& node) {
           return std::abs(shares[node.first] - node.second) <= tolerance;
         });
}

void set_located_access(model::Point& point, const model::Profile& profile,
                        const std::vector<model::ProfileCache>& caches,
                        const std::vector<model::MappedRange>& ranges) {
  if (!has_shares_of(point, ranges)) return;
  point.access = model::accesses_by_location(profile, caches.back(), ranges);
  if (!point.access.empty()) point.access_source = model::AccessSource::profile;
}

}  // namespace

void set_levels(model::Point& point, const points::Counts& counts, const std::string& folder,
                const std::vector<model::MappedRange>& ranges) {
  if (!counts.profile) return;
  const bool recorded = std::filesystem::exists(file_in(folder, "machine.json"));
  const int threads = std::max(1, point.threads > 0 ? point.threads : counts.profile->threads);
  const ProfileMachine machine =
      profile_machine(recorded ? folder : "", std::max(point.cluster, 0), threads, point.huge_pages_percent);
  const std::vector<model::ProfileCache>& caches = machine.caches;
  const auto key = point.region.empty() ? model::ProfileKey::program : model::ProfileKey::region;
  const std::vector<model::ProfileRow> rows = model::profile_rows(*counts.profile, key, caches, machine.tlb);
  const auto row = std::ranges::find_if(
      rows, [&](const model::ProfileRow& each) { return point.region.empty() || each.name == point.region; });
  if (row == rows.end()) return;
  const double all =
      static_cast<double>(counts.total.load_bytes.value_or(0) + counts.total.store_bytes.value_or(0));
  const double part = point.region.empty() && all > 0 ? (point.load_bytes + point.store_bytes) / all : 1;
  point.levels = levels_behind(*row, caches, part);
  point.translation = walks_of(*row, machine.tlb, part);
  point.accesses = part * accesses_of(*counts.profile, *row, key);
  if (point.region.empty()) point.span = std::max(counts.profile->busiest_thread, counts.profile->span);
  if (!point.functions.empty()) set_function_levels(point, *counts.profile, machine, part);
  const model::Profile its =
      point.region.empty() ? *counts.profile : of_region(*counts.profile, point.region);
  set_objects(point, its, caches, part);
  if (part > 0.99) set_located_access(point, its, caches, ranges);
}

}  // namespace gable::cli
