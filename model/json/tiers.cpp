#include "model/json/tiers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/json/case.hpp"
#include "model/json/document.hpp"
#include "model/json/fields.hpp"
#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {
namespace {

constexpr const char* cure_of_tiers = "correct or delete this line, then measure again";
const std::vector<std::string> whats = {"load", "store", "copy", "scale", "add", "triad", "latency"};
const std::vector<std::string> ways = {"", "store", "clwb", "clflushopt", "cvap", "nt"};
const std::vector<std::string> orders = {"sequential", "random"};

const char* work_name(const TierCase& spec) {
  return row_of(is_latency(spec) ? Work::accesses : Work::bytes).name.data();
}

Json json_of(const TierCase& spec) {
  return {{"tier", spec.tier},       {"what", spec.what},
          {"way", spec.way},         {"access_bytes", spec.access_bytes},
          {"order", spec.order},     {"cluster", spec.cluster},
          {"threads", spec.threads}, {"smt", spec.smt},
          {"bytes", spec.bytes}};
}

Json vendor_json(double gb_per_s) {
  return gb_per_s > 0 ? Json(gb_per_s) : Json();
}

TierCase case_of(const Fields& fields) {
  TierCase spec;
  spec.tier = fields.text("tier");
  spec.what = fields.one_of("what", whats);
  spec.way = fields.one_of("way", ways);
  spec.access_bytes = fields.bytes("access_bytes");
  spec.order = fields.one_of("order", orders);
  spec.cluster = fields.integer("cluster");
  spec.threads = fields.integer("threads", 1);
  spec.smt = fields.boolean("smt");
  spec.bytes = fields.bytes("bytes");
  return spec;
}

void check_way(const Fields& fields, const TierCase& spec) {
  if (spec.way.empty() != (is_load(spec) || is_latency(spec)))
    fields.fail("a \"way\" is given for stores, and only for stores");
  if (spec.access_bytes > 0 && !is_store(spec)) fields.fail("\"access_bytes\" belong to stores");
}

TierSample sample_of(const Fields& fields) {
  fields.schema();
  TierSample sample;
  sample.spec = case_of(fields.object("asked"));
  sample.round = fields.integer("round");
  sample.kernel = fields.text("kernel");
  sample.kind = fields.word<Tier>("kind");
  sample.how = fields.text("how");
  sample.persistent = fields.boolean("persistent");
  if (!fields.at("vendor_gb_per_s").is_null()) sample.vendor_gb_per_s = fields.number("vendor_gb_per_s");
  read_result(fields, work_name(sample.spec), sample.work, sample);
  read_conditions(fields, sample);
  check_way(fields, sample.spec);
  return sample;
}

Json figure_to_json(const TierFigure& figure) {
  const auto if_ok = [&](double value) { return figure.status == Status::ok ? Json(value) : Json(); };
  return {{"asked", json_of(figure.spec)},
          {"value", if_ok(figure.estimate.value)},
          {"lo", if_ok(figure.estimate.lo)},
          {"hi", if_ok(figure.estimate.hi)},
          {"unit", unit_of(figure.spec)},
          {"n", figure.estimate.n},
          {"status", name_of(figure.status)},
          {"reason", figure.reason},
          {"kernel", figure.kernel},
          {"kind", name_of(figure.kind)},
          {"how", figure.how},
          {"persistent", figure.persistent},
          {"vendor_gb_per_s", vendor_json(figure.vendor_gb_per_s)},
          {"notes", figure.notes},
          {"source", figure.source}};
}

}  // namespace

std::string tier_sample_to_line(const TierSample& sample) {
  Json out = {{"schema", schema},
              {"asked", json_of(sample.spec)},
              {"round", sample.round},
              {"kernel", sample.kernel},
              {"kind", name_of(sample.kind)},
              {"how", sample.how},
              {"persistent", sample.persistent},
              {"vendor_gb_per_s", vendor_json(sample.vendor_gb_per_s)}};
  add_status(out, sample);
  out["seconds"] = sample.seconds;
  out[work_name(sample.spec)] = sample.work;
  out["disturbed"] = sample.disturbed;
  add_conditions(out, sample);
  add_notes(out, sample);
  return line_of(out, "visit to " + sample.spec.tier, sample_of);
}

std::string tier_figures_to_json(const std::vector<TierFigure>& figures) {
  return fmt::format("{{\"schema\":{},{}}}\n", schema, array_to_json("figures", figures, figure_to_json));
}

TierSample tier_sample_from_line(std::string_view line, const std::string& where) {
  TierSample sample;
  read_line(line, where, cure_of_tiers, [&](const Fields& fields) { sample = sample_of(fields); });
  return sample;
}

std::vector<TierSample> read_tier_samples(const std::string& path) {
  std::vector<TierSample> all;
  for_each_line(path, [&](const Line& line) { all.push_back(tier_sample_from_line(line.text, line.where)); });
  return all;
}

}  // namespace gable::model
