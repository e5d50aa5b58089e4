#include "model/json/placed.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<PlacedPart> auto& part) {
  io.required("name", part.name);
  io.required("tier", part.tier);
  io.required("kind", part.kind);
  io.required("how", part.how);
  io.required("bytes", part.bytes);
  io.required("node_bytes", part.node_bytes);
}

namespace {

constexpr const char* cure_of_placed = "correct or delete this line, then place again";

// A published figure is a rate and the number of runs behind it; the runs themselves are not published.
void read_published(const Fields& fields, Placed& placed) {
  placed.source = fields.text("source");
  placed.published_teps = fields.number("teps");
  placed.published_runs = fields.integer("runs");
  if (placed.source.empty()) fields.fail("\"source\" is empty");
  if (!(placed.published_teps > 0)) fields.fail("\"teps\" must be above 0");
  placed.notes = notes_from(fields, "notes");
  placed.started = fields.text("started");
  if (fields.word<Status>("status") != Status::ok) fields.fail("a published figure must be \"ok\"");
  if (!fields.numbers("seconds").empty() || !fields.numbers("traversed").empty())
    fields.fail("a published figure has no \"seconds\" and no \"traversed\"");
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
  placed.parts = fields.array("parts", record_from<PlacedPart>);
  placed.how = fields.text("how");
  placed.ways = fields.named("ways_teps", &Fields::number);
  if (fields.has("source")) {
    read_published(fields, placed);
  } else {
    FieldReader io{fields};
    describe_repetitions(io, "traversed", placed.traversed, placed);
    io.required("disturbed", placed.disturbed);
    describe_notes(io, placed);
    check_result(fields, placed.seconds, "traversed", placed.traversed, placed.status, placed.reason);
  }
  if (fields.has("flops")) {
    placed.flops = fields.number("flops");
    placed.load_bytes = fields.number("load_bytes");
    placed.store_bytes = fields.number("store_bytes");
  }
  placed.verified = fields.text("verified");
  if (placed.parts.empty()) fields.fail("no \"parts\"");
  return placed;
}

}  // namespace

std::string placed_to_line(const Placed& placed) {
  Json out = {{"schema", schema},          {"workload", placed.workload}, {"variant", placed.variant},
              {"graph", placed.graph},     {"vertices", placed.vertices}, {"edges", placed.edges},
              {"cluster", placed.cluster}, {"threads", placed.threads},   {"smt", placed.smt}};
  out["parts"] = Json::array();
  for (const PlacedPart& part : placed.parts) out["parts"].push_back(record_to_json(part));
  out["how"] = placed.how;
  out["ways_teps"] = placed.ways;
  out["seconds"] = placed.seconds;
  out["traversed"] = placed.traversed;
  out["flops"] = placed.flops;
  out["load_bytes"] = placed.load_bytes;
  out["store_bytes"] = placed.store_bytes;
  out["verified"] = placed.verified;
  out["disturbed"] = placed.disturbed;
  out["status"] = name_of(placed.status);
  out["reason"] = placed.reason;
  FieldWriter io{out};
  describe_notes(io, placed);
  if (!placed.source.empty()) {
    out["teps"] = placed.published_teps;
    out["runs"] = placed.published_runs;
    out["source"] = placed.source;
  }
  return line_of(out, "placement of " + placed.workload, placed_from);
}

Placed placed_from_line(std::string_view line, const std::string& where) {
  Placed placed;
  read_line(line, where, cure_of_placed, [&](const Fields& fields) { placed = placed_from(fields); });
  return placed;
}

std::string placed_key(const Placed& placed) {
  std::string key = fmt::format("{} {} {} cluster={} threads={} smt={}", placed.workload, placed.variant,
                                placed.graph, placed.cluster, placed.threads, placed.smt);
  for (const PlacedPart& part : placed.parts) key += fmt::format(" {}={}", part.name, part.tier);
  return key;
}

std::vector<Placed> read_placements(const std::string& path) {
  std::vector<Placed> all;
  std::map<std::string, std::size_t> place;
  for_each_line(path, [&](const Line& line) {
    Placed placed = placed_from_line(line.text, line.where);
    const auto [known, added] = place.try_emplace(placed_key(placed), all.size());
    if (added) {
      all.push_back(std::move(placed));
    } else {
      all[known->second] = std::move(placed);
    }
  });
  return all;
}

}  // namespace gable::model
