#include "model/json/hybrid.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "model/hybrid/interleave.hpp"
#include "model/json/document.hpp"
#include "model/json/hybrid_fit.hpp"
#include "model/json/record_io.hpp"
#include "model/json/roof.hpp"

namespace gable::model {

template <typename Io>
void describe(Io& io, As<Quantities> auto& bytes) {
  for (const Transfer x : transfers) io.required(name_of(x), bytes[x]);
}

template <typename Io>
void describe(Io& io, As<Cell> auto& cell) {
  io.required("bytes", cell.bytes);
  io.required("seconds", cell.seconds.value);
  io.required("lo", cell.seconds.lo);
  io.required("hi", cell.seconds.hi);
  io.required("n", cell.seconds.n);
}

void check(const Fields& fields, const Cell& cell) {
  const auto& [seconds, lo, hi, n] = cell.seconds;
  if (seconds <= 0 || lo > seconds || seconds > hi)
    fields.fail("\"seconds\" must be above 0 and between \"lo\" and \"hi\"");
}

template <typename Io>
void describe(Io& io, As<Application> auto& application) {
  io.required("op", application.op);
  describe(io, application.cell);
}

void check(const Fields& fields, const Application& application) {
  check(fields, application.cell);
}

template <typename Io>
void describe(Io& io, As<InterleavedCell> auto& it) {
  io.required("slow", it.slow);
  io.required("fast", it.fast);
  describe(io, it.cell);
}

void check(const Fields& fields, const InterleavedCell& it) {
  for (const char* const weight : {"slow", "fast"}) fields.integer(weight, 1, 255);
  check(fields, it.cell);
}

template <typename Io>
void describe(Io& io, As<MemoryNode> auto& node) {
  io.required("node", node.node);
  io.required("tier", node.tier);
}

// Without the fit and the cells.
template <typename Io>
void describe(Io& io, As<HybridPair> auto& pair) {
  io.required("cluster", pair.cluster);
  io.optional("all_clusters", pair.all_clusters);
  io.required("slow", pair.slow);
  io.required("fast", pair.fast);
  io.required("status", pair.status);
  io.required("reason", pair.reason);
  io.required("source", pair.source);
  io.optional("pages", pair.pages);
  io.optional("threads", pair.threads);
}

namespace {

Json interleave_errors_to_json(const InterleaveErrors& errors) {
  return {{"between_rms_percent", or_null(errors.between_percent)},
          {"between_cells", errors.between_cells},
          {"equation5_held_out_rms_percent", or_null(errors.equation5_percent)},
          {"equation5_held_out_cells", errors.equation5_cells}};
}

std::string pair_to_json(const HybridPair& pair) {
  Json out = record_to_json(pair);
  if (!pair.interleaved.empty())
    out["interleave_errors"] = interleave_errors_to_json(interleave_errors(pair));
  if (pair.status == Status::ok) out["fit"] = fit_to_json(pair.fit);
  std::string text = json_text(out);
  text.back() = ',';
  return fmt::format("{}\n{},\n{},\n{}}}", text, array_to_json("cells", pair.cells, record_to_json<Cell>),
                     array_to_json("applications", pair.applications, record_to_json<Application>),
                     array_to_json("interleaved", pair.interleaved, record_to_json<InterleavedCell>));
}

HybridPair pair_from(const Fields& fields) {
  auto pair = record_from<HybridPair>(fields);
  if (pair.status == Status::ok) pair.fit = fit_from(fields.object("fit"));
  FieldReader io{fields};
  io.required("cells", pair.cells);
  io.optional("applications", pair.applications);
  io.optional("interleaved", pair.interleaved);
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
  const Document document(text, path, how_to_fit_again(path));
  Hybrid hybrid;
  hybrid.pairs = document.array("pairs", pair_from);
  if (document.has("missing")) hybrid.missing = document.array("missing", roof_from);
  return hybrid;
}

}  // namespace gable::model
