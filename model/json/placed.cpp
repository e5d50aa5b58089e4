#include "model/json/placed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "model/json/case.hpp"
#include "model/json/fields.hpp"
#include "model/json/format.hpp"

namespace gable::model {
namespace {

using nlohmann::ordered_json;

constexpr const char* cure_of_placed = "correct or delete this line, then place again";

ordered_json json_of(const PlacedPart& part) {
  ordered_json out = {{"name", part.name},
                      {"tier", part.tier},
                      {"kind", part.kind},
                      {"how", part.how},
                      {"bytes", part.bytes}};
  out["node_bytes"] = node_bytes_json(part.node_bytes);
  return out;
}

PlacedPart part_from(const Fields& fields) {
  return {fields.text("name"), fields.text("tier"),   fields.text("kind"),
          fields.text("how"),  fields.bytes("bytes"), fields.node_bytes("node_bytes")};
}

std::string contradiction(const Placed& placed) {
  if (placed.seconds.size() != placed.traversed.size())
    return fmt::format("\"seconds\" has {} entries, \"traversed\" has {}", placed.seconds.size(),
                       placed.traversed.size());
  for (const auto* values : {&placed.seconds, &placed.traversed}) {
    if (!std::ranges::all_of(*values, [](double v) { return std::isfinite(v) && v > 0; }))
      return "\"seconds\" and \"traversed\" must be above 0";
  }
  if (placed.status == Status::ok && placed.seconds.empty()) return "status \"ok\" without a run";
  if ((placed.status == Status::ok) != placed.reason.empty())
    return "a \"reason\" belongs to a status that is not ok, and only to that";
  if (placed.parts.empty()) return "no \"parts\"";
  return {};
}

Placed placed_from(const Fields& fields) {
  fields.schema();
  Placed placed;
  placed.workload = fields.text("workload");
  placed.variant = fields.text("variant");
  placed.graph = fields.text("graph");
  placed.vertices = fields.bytes("vertices");
  placed.edges = fields.bytes("edges");
  placed.cluster = fields.integer("cluster");
  placed.threads = fields.integer("threads", 1);
  placed.smt = fields.boolean("smt");
  placed.parts = fields.array("parts", part_from);
  placed.how = fields.text("how");
  const Fields ways = fields.object("ways_teps");
  for (const auto& [way, unused] : fields.at("ways_teps").items())
    placed.ways[way] = ways.number(way.c_str());
  placed.seconds = fields.numbers("seconds");
  placed.traversed = fields.numbers("traversed");
  if (fields.has("flops")) {
    placed.flops = fields.number("flops");
    placed.load_bytes = fields.number("load_bytes");
    placed.store_bytes = fields.number("store_bytes");
  }
  placed.verified = fields.text("verified");
  placed.disturbed = fields.integer("disturbed");
  placed.status = status_from(fields);
  placed.reason = fields.text("reason");
  placed.notes = fields.texts("notes");
  placed.started = fields.text("started");
  if (const std::string wrong = contradiction(placed); !wrong.empty())
    fields.fail(wrong + "; " + cure_of_placed);
  return placed;
}

}  // namespace

std::string placed_to_line(const Placed& placed) {
  ordered_json out = {{"schema", schema},          {"workload", placed.workload}, {"variant", placed.variant},
                      {"graph", placed.graph},     {"vertices", placed.vertices}, {"edges", placed.edges},
                      {"cluster", placed.cluster}, {"threads", placed.threads},   {"smt", placed.smt}};
  out["parts"] = ordered_json::array();
  for (const PlacedPart& part : placed.parts) out["parts"].push_back(json_of(part));
  out["how"] = placed.how;
  out["ways_teps"] = ordered_json::object();
  for (const auto& [way, teps] : placed.ways) out["ways_teps"][way] = teps;
  out["seconds"] = placed.seconds;
  out["traversed"] = placed.traversed;
  out["flops"] = placed.flops;
  out["load_bytes"] = placed.load_bytes;
  out["store_bytes"] = placed.store_bytes;
  out["verified"] = placed.verified;
  out["disturbed"] = placed.disturbed;
  out["status"] = name_of(placed.status);
  out["reason"] = placed.reason;
  out["notes"] = placed.notes;
  out["started"] = placed.started;
  std::string line = out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  placed_from_line(line, "placement of " + placed.workload);
  return line;
}

Placed placed_from_line(std::string_view line, const std::string& where) {
  try {
    const nlohmann::json object = nlohmann::json::parse(line);
    if (!object.is_object()) throw FormatError(where + ": not an object; " + cure_of_placed);
    return placed_from(Fields(object, where));
  } catch (const nlohmann::json::parse_error& error) {
    throw FormatError(fmt::format("{}: {}; {}", where, error.what(), cure_of_placed));
  }
}

std::string placed_key(const Placed& placed) {
  std::string key = fmt::format("{} {} {} cluster={} threads={} smt={}", placed.workload, placed.variant,
                                placed.graph, placed.cluster, placed.threads, placed.smt);
  for (const PlacedPart& part : placed.parts) key += fmt::format(" {}={}", part.name, part.tier);
  return key;
}

std::vector<Placed> read_placements(const std::string& path) {
  std::vector<Placed> all;
  if (!std::filesystem::exists(path)) return all;
  std::map<std::string, std::size_t> place;
  const std::string text = read_whole(path);
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    Placed placed = placed_from_line(std::string_view(text).substr(begin, end - begin),
                                     fmt::format("{}:{}", path, number));
    const auto [known, added] = place.try_emplace(placed_key(placed), all.size());
    if (added) {
      all.push_back(std::move(placed));
    } else {
      all[known->second] = std::move(placed);
    }
    begin = end + 1;
  }
  return all;
}

}  // namespace gable::model
