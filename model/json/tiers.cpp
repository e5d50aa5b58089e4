#include "model/json/tiers.hpp"

#include <fmt/format.h>

#include "model/json/document.hpp"
#include "model/json/visits/lines_of.hpp"
#include "model/records/tier.hpp"

namespace gable::model {
namespace {

const std::vector<std::string> whats = {"load", "store", "copy", "scale", "add", "triad", "latency"};
const std::vector<std::string> ways = {"", "store", "clwb", "clflushopt", "cvap", "nt"};
const std::vector<std::string> orders = {"sequential", "random"};

const char* work_name(const TierCase& spec) {
  return row_of(is_latency(spec) ? Work::accesses : Work::bytes).name.data();
}

}  // namespace

template <typename Io>
void describe(Io& io, As<TierCase> auto& spec) {
  io.required("tier", spec.tier);
  io.required("what", spec.what);
  io.required("way", spec.way);
  io.required("access_bytes", spec.access_bytes);
  io.required("order", spec.order);
  io.required("cluster", spec.cluster);
  io.required("threads", spec.threads);
  io.required("smt", spec.smt);
  io.required("bytes", spec.bytes);
}

void check(const Fields& fields, const TierCase& spec) {
  fields.one_of("what", whats);
  fields.one_of("way", ways);
  fields.one_of("order", orders);
  fields.integer("threads", 1);
  if (spec.way.empty() != (is_load(spec) || is_latency(spec)))
    fields.fail("a \"way\" is given for stores, and only for stores");
  if (spec.access_bytes > 0 && !is_store(spec) && !is_load(spec))
    fields.fail("\"access_bytes\" belong to loads and stores");
}

template <typename Io>
void describe(Io& io, As<TierSample> auto& sample) {
  io.required("asked", sample.spec);
  io.required("round", sample.round);
  io.required("kernel", sample.kernel);
  io.required("kind", sample.kind);
  io.required("how", sample.how);
  io.required("persistent", sample.persistent);
  io.value(sample.vendor_gb_per_s > 0, "vendor_gb_per_s", sample.vendor_gb_per_s);
  describe_repetitions(io, work_name(sample.spec), sample.work, sample);
  io.required("disturbed", sample.disturbed);
  describe_conditions(io, sample);
  describe_notes(io, sample);
}

void check(const Fields& fields, const TierSample& sample) {
  check_result(fields, sample.seconds, work_name(sample.spec), sample.work, sample.status, sample.reason);
}

namespace {

Json figure_to_json(const TierFigure& figure) {
  const auto if_ok = [&](double value) { return figure.status == Status::ok ? Json(value) : Json(); };
  return {{"asked", record_to_json(figure.spec)},
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
          {"vendor_gb_per_s", figure.vendor_gb_per_s > 0 ? Json(figure.vendor_gb_per_s) : Json()},
          {"notes", figure.notes},
          {"source", figure.source}};
}

}  // namespace

std::string tier_figures_to_json(const std::vector<TierFigure>& figures) {
  return fmt::format("{{\"schema\":{},{}}}\n", schema, array_to_json("figures", figures, figure_to_json));
}

template std::string to_line(const TierSample&);
template TierSample from_line(std::string_view, const std::string&);
template std::vector<TierSample> read_lines(const std::string&);

}  // namespace gable::model
