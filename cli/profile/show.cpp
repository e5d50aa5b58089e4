#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "cli/profile/caches.hpp"
#include "cli/profile/profile.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "model/json/programs/profile.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {
namespace {

using model::ProfileKey;
using model::ProfileRow;

struct Shown {
  const char* name;  // in options and in JSON
  const char* title;
  const char* column;
  ProfileKey key;
};

constexpr Shown tables[] = {
    {"function", "Functions", "function", ProfileKey::function},
    {"line", "Source lines", "line", ProfileKey::line},
    {"object", "Objects", "object", ProfileKey::object},
    {"region", "Regions", "region", ProfileKey::region},
};

// Bytes without the errors of sums of probabilities, and without the sign of a zero.
double whole_bytes(double bytes) {
  return std::round(bytes) + 0.0;
}

std::string part_text(double part, double of) {
  if (whole_bytes(of) == 0) return "-";
  const double percent = 100 * whole_bytes(part) / of;
  return percent > 0 && percent < 0.5 ? "< 1 %" : percent_text(percent);
}

std::vector<Column> columns_of(const Shown& shown, const std::vector<model::ProfileCache>& caches) {
  std::vector<std::string> figures;
  if (shown.key == ProfileKey::object) figures.emplace_back("size");
  if (shown.key != ProfileKey::region) figures.emplace_back("accesses");
  for (std::size_t i = 0; i < caches.size(); ++i) {
    figures.push_back(i + 1 < caches.size() ? "from " + caches[i + 1].level : "memory");
  }
  for (const char* name : {"of all", "written", "in order", "irregular", "chained"})
    figures.emplace_back(name);
  return columns({shown.column}, figures);
}

Row cells_of(const Shown& shown, const ProfileRow& row, double all) {
  const model::Traffic& memory = row.behind.back();
  const double fetched = memory.fetched();
  Row cells = {shown.key == ProfileKey::function ? model::short_function(row.name) : row.name};
  if (shown.key == ProfileKey::object) cells.emplace_back(row.peak_bytes ? bytes_text(row.peak_bytes) : "-");
  if (shown.key != ProfileKey::region) cells.emplace_back(bytes_cell(row.load_bytes + row.store_bytes));
  for (const model::Traffic& traffic : row.behind) cells.emplace_back(bytes_cell(traffic.total()));
  cells.emplace_back(part_text(memory.total(), all));
  cells.emplace_back(part_text(memory.written_back + memory.streamed, memory.total()));
  for (const auto order :
       {model::AccessOrder::sequential, model::AccessOrder::independent, model::AccessOrder::chained}) {
    cells.emplace_back(part_text(memory.fetched(order), fetched));
  }
  return cells;
}

// The rows that matter: those with most of the traffic from memory, or of the accesses where there is none.
std::vector<ProfileRow> first_rows(std::vector<ProfileRow> rows, bool all) {
  constexpr std::size_t few = 5;
  if (!all && rows.size() > few) rows.resize(few);
  return rows;
}

void print_rows(const model::Profile& profile, const Shown& shown, const ProfileMachine& machine,
                const ProfileTimes& times, bool all) {
  std::vector<ProfileRow> every = profile_rows(profile, shown.key, machine.caches);
  if (shown.key == ProfileKey::function) times.sort(every);
  double sum = 0;
  for (const ProfileRow& row : every) sum += row.behind.back().total();
  Table table{shown.title, columns_of(shown, machine.caches)};
  const std::vector<ProfileRow> rows = first_rows(every, all);
  for (const ProfileRow& row : rows) table.rows.push_back(cells_of(shown, row, sum));
  if (shown.key == ProfileKey::function) times.add_columns(rows, table);
  if (rows.size() < every.size()) {
    table.notes.push_back(fmt::format("{} more with `--all`", every.size() - rows.size()));
  }
  fmt::print("{}", table_text(table));
}

std::string cache_text(const model::ProfileCache& cache) {
  return usable_size_text(cache) + (cache.is_shared ? " for all threads" : "");
}

void print_head(const model::Profile& profile, const ProfileMachine& machine, const std::string& path) {
  fmt::print("{}", folded(fmt::format("{}: {}", path,
                                      joined(
                                          profile.command, [](const auto& word) { return word; }, " "))));
  const double error = share_error(profile);
  const std::string followed =
      error == 0
          ? "every cache line was followed"
          : fmt::format(
                "1 of {:.0f} cache lines was followed, which is an error of about {:.1g} % of the whole",
                1 / profile.lines_followed, 100 * error);
  fmt::print("{}",
             folded(fmt::format("{}{}; {}",
                                profile.processes > 1 ? fmt::format("{} processes, ", profile.processes) : "",
                                count_text(profile.threads, "thread"), followed)));
  fmt::print("{}", folded(conflicts_text(profile, machine)));
  fmt::print("{}\n", folded(fmt::format("Bytes that pass between the caches of {} ({}) and its memory:",
                                        machine.name, joined(machine.caches, cache_text))));
}

Json json_of(const model::Traffic& traffic) {
  Json out = Json::object();
  constexpr const char* orders[] = {"sequential", "independent", "chained"};
  for (int order = 0; order < model::access_orders; ++order) {
    out[orders[order]] = {{"read", whole_bytes(traffic.read[order])},
                          {"write", whole_bytes(traffic.written[order])}};
  }
  out["written_back"] = whole_bytes(traffic.written_back);
  out["streamed"] = whole_bytes(traffic.streamed);
  return out;
}

Json json_of(const ProfileRow& row, const std::vector<model::ProfileCache>& caches) {
  Json out = {{"name", row.name},        {"where", row.where},           {"loads", row.loads},
              {"stores", row.stores},    {"load_bytes", row.load_bytes}, {"store_bytes", row.store_bytes},
              {"flops", row.flops},      {"peak_bytes", row.peak_bytes}, {"chain_length", row.chain},
              {"behind", Json::object()}};
  for (std::size_t i = 0; i < caches.size(); ++i) {
    out["behind"][caches[i].level] = json_of(row.behind[i]);
    out["conflicts"][caches[i].level] = whole_bytes(row.conflicts[i]);
  }
  return out;
}

bool is_wanted(const Shown& shown, const model::Profile& profile, const std::string& by) {
  if (!by.empty()) return by == shown.name;
  const bool has_lines = std::any_of(profile.places.begin(), profile.places.end(),
                                     [](const model::ProfilePlace& place) { return !place.file.empty(); });
  const bool has_regions = std::any_of(profile.uses.begin(), profile.uses.end(),
                                       [](const model::ProfileUses& uses) { return !uses.region.empty(); });
  return shown.key == ProfileKey::line ? has_lines : shown.key == ProfileKey::region ? has_regions : true;
}

void print_profile_json(const model::Profile& profile, const ProfileMachine& machine,
                        const ProfileTimes& times, const std::string& by) {
  Json out = {{"command", profile.command},
              {"threads", profile.threads},
              {"lines_followed", profile.lines_followed},
              {"caches", Json::array()}};
  for (const model::ProfileCache& cache : machine.caches) {
    out["caches"].push_back({{"level", cache.level},
                             {"bytes", cache.bytes},
                             {"shared", cache.is_shared},
                             {"ways", knows_conflicts(profile, cache) ? cache.ways : 0}});
    if (cache.stream_bytes > 0) out["caches"].back()["stream_bytes"] = cache.stream_bytes;
  }
  for (const Shown& shown : tables) {
    if (!is_wanted(shown, profile, by)) continue;
    Json rows = Json::array();
    for (const ProfileRow& row : profile_rows(profile, shown.key, machine.caches)) {
      rows.push_back(json_of(row, machine.caches));
      if (shown.key == ProfileKey::function) times.add_fields(row, rows.back());
    }
    out[std::string(shown.name) + "s"] = std::move(rows);
  }
  fmt::print("{}\n", json_text(out, 2));
}

// Of one level, the i-th.
Row cells_of(const Shown& shown, const ProfileRow& row, const std::string& level, std::size_t i) {
  const model::Traffic& of = row.behind[i];
  Row cells = {shown.name, row.name, row.where, level};
  for (const double number :
       {row.loads, row.stores, row.load_bytes, row.store_bytes, row.flops, of.read[0], of.read[1], of.read[2],
        of.written[0], of.written[1], of.written[2], of.written_back, of.streamed, row.conflicts[i]})
    cells.emplace_back(fmt::format("{:.0f}", whole_bytes(number)));
  return cells;
}

void print_profile_csv(const model::Profile& profile, const ProfileMachine& machine, const std::string& by) {
  Table table{"", columns({"by", "name", "where", "behind"},
                          {"loads", "stores", "load_bytes", "store_bytes", "flops", "read_sequential",
                           "read_independent", "read_chained", "write_sequential", "write_independent",
                           "write_chained", "written_back", "streamed", "conflicts"})};
  for (const Shown& shown : tables) {
    if (!is_wanted(shown, profile, by)) continue;
    for (const ProfileRow& row : profile_rows(profile, shown.key, machine.caches)) {
      for (std::size_t i = 0; i < machine.caches.size(); ++i)
        table.rows.push_back(cells_of(shown, row, machine.caches[i].level, i));
    }
  }
  fmt::print("{}", csv_text(table));
}

// The point of the folder that is to be shown.
model::Point point_in(const std::string& folder, const std::string& name) {
  std::vector<model::Point> points = points_of(folder);
  if (!name.empty()) {
    const model::Point& point = point_named(points, name, folder);
    if (point.profile.empty())
      throw Error::usage(fmt::format(
          "{}: no profile is kept of the point '{}'; `gable point run` with the counter profile keeps one",
          folder, name));
    return point;
  }
  std::erase_if(points, [](const model::Point& point) { return point.profile.empty(); });
  if (points.empty())
    throw Error::usage(folder + ": no profile of a point is kept there; `gable point run` keeps one");
  if (points.size() > 1)
    throw Error::usage(fmt::format("{}: of which point? --point takes {}", folder,
                                   joined(points, [](const model::Point& point) { return point.name; })));
  return points.front();
}

// Where a folder is named, the profile, the machine and the cluster are those of its point.
std::optional<model::Point> take_point(ProfileShowArguments& arguments) {
  if (!std::filesystem::is_directory(arguments.file)) {
    if (!arguments.point.empty())
      throw Error::usage(fmt::format("--point {}: {} is no folder", arguments.point, arguments.file));
    return std::nullopt;
  }
  const std::string folder = arguments.file;
  model::Point point = point_in(folder, arguments.point);
  arguments.file = profile_path(folder, point.profile);
  if (arguments.machine.empty() && std::filesystem::exists(file_in(folder, "machine.json")))
    arguments.machine = folder;
  if (arguments.cluster < 0) arguments.cluster = point.cluster;
  if (!arguments.huge_pages) arguments.huge_pages = point.huge_pages_percent;
  return point;
}

}  // namespace

void show_profile(const ProfileShowArguments& given) {
  ProfileShowArguments arguments = given;
  const std::optional<model::Point> point = take_point(arguments);
  const model::Profile profile = model::profile_from_json(named_file(arguments.file), arguments.file);
  const int threads = point && point->threads > 0 ? point->threads : profile.threads;
  const ProfileMachine machine =
      profile_machine(arguments.machine, std::max(arguments.cluster, 0), threads, arguments.huge_pages);
  const ProfileTimes times(profile, point, arguments.machine);
  if (arguments.json) return print_profile_json(profile, machine, times, arguments.by);
  if (arguments.csv) return print_profile_csv(profile, machine, arguments.by);
  print_head(profile, machine, arguments.file);
  for (const Shown& shown : tables) {
    if (is_wanted(shown, profile, arguments.by)) print_rows(profile, shown, machine, times, arguments.all);
  }
}

}  // namespace gable::cli
