#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/tables/table.hpp"
#include "cli/profile/shown.hpp"
#include "cli/text/columns.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {

double whole_bytes(double bytes) {
  return std::round(bytes) + 0.0;
}

namespace {

using model::ProfileRow;

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
  Json out = {{"name", row.name},
              {"where", row.where},
              {"loads", row.loads},
              {"stores", row.stores},
              {"load_bytes", row.load_bytes},
              {"store_bytes", row.store_bytes},
              {"flops", row.flops},
              {"peak_bytes", row.peak_bytes},
              {"chain_length", row.chain},
              {"contested", row.contested},
              {"contested_apart", row.contested_apart},
              {"blocks", row.blocks},
              {"born", row.born},
              {"died", row.died},
              {"behind", Json::object()}};
  if (row.loop > 0) out["loop"] = row.loop;
  if (!row.line.empty()) out["line"] = row.line;
  for (std::size_t i = 0; i < caches.size(); ++i) {
    out["behind"][caches[i].level] = json_of(row.behind[i]);
    out["conflicts"][caches[i].level] = whole_bytes(row.conflicts[i]);
  }
  return out;
}

// Of one level, the i-th.
Row cells_of(const ShownRows& shown, const ProfileRow& row, const std::string& level, std::size_t i) {
  const model::Traffic& of = row.behind[i];
  Row cells = {shown.name, row.name + model::loop_words(row.loop, row.line), row.where, level};
  for (const double number :
       {row.loads, row.stores, row.load_bytes, row.store_bytes, row.flops, of.read[0], of.read[1], of.read[2],
        of.written[0], of.written[1], of.written[2], of.written_back, of.streamed, row.conflicts[i]})
    cells.emplace_back(fmt::format("{:.0f}", whole_bytes(number)));
  cells.insert(cells.end(),
               {fmt::format("{}", row.peak_bytes), fmt::format("{}", row.blocks),
                fmt::format("{:.4g}", row.born), fmt::format("{:.4g}", row.died),
                fmt::format("{:.0f}", row.contested), fmt::format("{:.0f}", row.contested_apart)});
  return cells;
}

}  // namespace

void print_profile_json(const ShownProfile& shown, const std::string& by) {
  const auto& [profile, machine, levels, times] = shown;
  Json out = {{"command", profile.command},
              {"threads", profile.threads},
              {"lines_followed", profile.lines_followed},
              {"caches", Json::array()}};
  if (profile.signal != 0) out["signal"] = profile.signal;
  for (const model::ProfileCache& cache : machine.caches) {
    out["caches"].push_back({{"level", cache.level},
                             {"bytes", cache.bytes},
                             {"shared", cache.is_shared},
                             {"ways", knows_conflicts(profile, cache) ? cache.ways : 0}});
    if (cache.stream_bytes > 0) out["caches"].back()["stream_bytes"] = cache.stream_bytes;
  }
  if (shows_levels(by)) out["time_by_level"] = levels.json();
  for (const ShownRows& kind : shown_rows(profile, by)) {
    Json rows = Json::array();
    for (const ProfileRow& row : profile_rows(profile, kind.key, machine.caches)) {
      rows.push_back(json_of(row, machine.caches));
      if (kind.key == model::ProfileKey::function) times.add_fields(row, rows.back());
    }
    out[std::string(kind.name) + "s"] = std::move(rows);
  }
  fmt::print("{}\n", json_text(out, 2));
}

void print_profile_csv(const ShownProfile& shown, const std::string& by) {
  if (by == "level") return fmt::print("{}", csv_text(shown.levels.csv()));
  Table table{"", columns({"by", "name", "where", "behind"}, {"loads",
                                                              "stores",
                                                              "load_bytes",
                                                              "store_bytes",
                                                              "flops",
                                                              "read_sequential",
                                                              "read_independent",
                                                              "read_chained",
                                                              "write_sequential",
                                                              "write_independent",
                                                              "write_chained",
                                                              "written_back",
                                                              "streamed",
                                                              "conflicts",
                                                              "peak_bytes",
                                                              "blocks",
                                                              "born",
                                                              "died",
                                                              "contested",
                                                              "contested_apart"})};
  const std::vector<model::ProfileCache>& caches = shown.machine.caches;
  for (const ShownRows& kind : shown_rows(shown.profile, by)) {
    for (const ProfileRow& row : profile_rows(shown.profile, kind.key, caches)) {
      for (std::size_t i = 0; i < caches.size(); ++i)
        table.rows.push_back(cells_of(kind, row, caches[i].level, i));
    }
  }
  fmt::print("{}", csv_text(table));
}

}  // namespace gable::cli
