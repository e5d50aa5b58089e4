#include "model/json/hybrid.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "model/hybrid/interleave.hpp"
#include "model/json/case.hpp"
#include "model/json/document.hpp"
#include "model/json/fields.hpp"
#include "model/json/hybrid_fit.hpp"
#include "model/json/roof.hpp"
#include "model/json/visits/note.hpp"

namespace gable::model {
namespace {

Json cell_to_json(const Cell& cell) {
  const auto& [seconds, lo, hi, n] = cell.seconds;
  Json bytes = Json::object();
  for (const Transfer x : transfers) bytes[name_of(x)] = cell.bytes[x];
  return {{"bytes", bytes}, {"seconds", seconds}, {"lo", lo}, {"hi", hi}, {"n", n}};
}

Json application_to_json(const Application& application) {
  Json out = {{"op", application.op.name()}};
  out.update(cell_to_json(application.cell));
  return out;
}

Json interleaved_to_json(const InterleavedCell& it) {
  Json out = {{"slow", it.slow}, {"fast", it.fast}};
  out.update(cell_to_json(it.cell));
  return out;
}

Json node_to_json(const MemoryNode& node) {
  return {{"node", node.node}, {"tier", name_of(node.tier)}};
}

Json interleave_errors_to_json(const InterleaveErrors& errors) {
  return {{"between_rms_percent", or_null(errors.between_percent)},
          {"between_cells", errors.between_cells},
          {"equation5_held_out_rms_percent", or_null(errors.equation5_percent)},
          {"equation5_held_out_cells", errors.equation5_cells}};
}

std::string pair_to_json(const HybridPair& pair) {
  Json out = Json::object();
  out["cluster"] = pair.cluster;
  out["all_clusters"] = pair.all_clusters;
  out["slow"] = node_to_json(pair.slow);
  out["fast"] = node_to_json(pair.fast);
  out["status"] = name_of(pair.status);
  out["reason"] = pair.reason;
  out["source"] = pair.source;
  out["pages"] = name_of(pair.pages);
  out["threads"] = pair.threads;
  if (!pair.interleaved.empty())
    out["interleave_errors"] = interleave_errors_to_json(interleave_errors(pair));
  if (pair.status == Status::ok) out["fit"] = fit_to_json(pair.fit);
  std::string text = json_text(out);
  text.back() = ',';
  return fmt::format("{}\n{},\n{},\n{}}}", text, array_to_json("cells", pair.cells, cell_to_json),
                     array_to_json("applications", pair.applications, application_to_json),
                     array_to_json("interleaved", pair.interleaved, interleaved_to_json));
}

Cell cell_from(const Fields& fields) {
  Cell cell;
  const Fields bytes = fields.object("bytes");
  for (const Transfer x : transfers) cell.bytes[x] = bytes.number(name_of(x));
  cell.seconds = {fields.number("seconds"), fields.number("lo"), fields.number("hi"), fields.integer("n")};
  if (cell.seconds.value <= 0 || cell.seconds.lo > cell.seconds.value || cell.seconds.value > cell.seconds.hi)
    fields.fail("\"seconds\" must be above 0 and between \"lo\" and \"hi\"");
  return cell;
}

Application application_from(const Fields& fields) {
  return {Operation(fields.text("op")), cell_from(fields)};
}

InterleavedCell interleaved_from(const Fields& fields) {
  return {fields.integer("slow", 1, 255), fields.integer("fast", 1, 255), cell_from(fields)};
}

MemoryNode node_from(const Fields& fields) {
  return {fields.integer("node"), fields.tiers("tier")};
}

HybridPair pair_from(const Fields& fields) {
  HybridPair pair;
  pair.cluster = fields.integer("cluster");
  pair.all_clusters = fields.has("all_clusters") && fields.boolean("all_clusters");
  pair.slow = node_from(fields.object("slow"));
  pair.fast = node_from(fields.object("fast"));
  pair.status = fields.word<Status>("status");
  pair.reason = note_from(fields, "reason");
  pair.source = fields.text("source");
  if (pair.status == Status::ok) pair.fit = fit_from(fields.object("fit"));
  pair.cells = fields.array("cells", cell_from);
  if (fields.has("pages")) pair.pages = fields.pages("pages");
  if (fields.has("threads")) pair.threads = fields.integer("threads");
  if (fields.has("applications")) pair.applications = fields.array("applications", application_from);
  if (fields.has("interleaved")) pair.interleaved = fields.array("interleaved", interleaved_from);
  return pair;
}

}  // namespace

std::string hybrid_to_json(const Hybrid& hybrid) {
  std::string text = fmt::format("{{\"schema\":{},\n\"pairs\":[", schema);
  for (const HybridPair& pair : hybrid.pairs)
    text += (&pair == &hybrid.pairs.front() ? "\n" : ",\n") + pair_to_json(pair);
  return text + "\n],\n" + array_to_json("missing", hybrid.missing, roof_to_json) + "}\n";
}

Hybrid hybrid_from_json(const std::string& text, const std::string& path) {
  const Document document(text, path, "run `gable fit` again");
  Hybrid hybrid;
  hybrid.pairs = document.array("pairs", pair_from);
  if (document.has("missing")) hybrid.missing = document.array("missing", roof_from);
  return hybrid;
}

}  // namespace gable::model
