#include "model/json/virt.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "model/json/fields.hpp"
#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {
namespace {

constexpr const char* cure_of_virt = "correct or delete this line, then measure again with --only virt";

VirtCase virt_case_of(const Fields& fields) {
  VirtCase spec;
  spec.kind = fields.word<VirtKind>("kind");
  spec.what = fields.text("what");
  spec.pages = fields.word<VirtPages>("pages");
  spec.cpu = fields.at("cpu").is_null() ? -1 : fields.integer("cpu");
  spec.bytes = fields.bytes("bytes");
  if (row_of(spec.kind).is_on_every_cpu != (spec.cpu >= 0))
    fields.fail("a \"cpu\" is given for noise, and only for it");
  return spec;
}

// Reads detours, which are in order, without overlap and within the record.
void read_detours(const Fields& fields, VirtSample& sample) {
  const std::vector<double> begins = fields.numbers("begin_us"), lengths = fields.numbers("length_us");
  if (begins.size() != lengths.size()) fields.fail("\"begin_us\" and \"length_us\" have different lengths");
  double end = 0, record = 0;
  for (const double seconds : sample.seconds) record += seconds * 1e6;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (!(begins[i] >= end) || !(lengths[i] > 0)) fields.fail("the detours overlap or are not in order");
    end = begins[i] + lengths[i];
    sample.detours.push_back({begins[i], lengths[i]});
  }
  if (end > record * 1.001 + 1) fields.fail("detours after the end of the record");
}

VirtSample virt_sample_of(const Fields& fields) {
  fields.schema();
  VirtSample sample;
  sample.spec = virt_case_of(fields.object("asked"));
  sample.round = fields.integer("round");
  sample.facts = fields.named("facts", &Fields::text);
  if (!row_of(sample.spec.kind).is_timed) {
    sample.started = fields.text("started");
    sample.notes = notes_from(fields, "notes");
    return sample;
  }
  read_result(fields, "work", sample.work, sample);
  sample.steal_percent = fields.number("steal_percent");
  sample.verified = fields.text("verified");
  if (!row_of(sample.spec.kind).is_on_every_cpu) return sample;
  sample.threshold_us = fields.number("threshold_us");
  sample.pass_ns = fields.number("pass_ns");
  sample.interrupts = fields.named("interrupts", &Fields::number);
  read_detours(fields, sample);
  return sample;
}

// A tenth of a nanosecond is finer than any clock.
double rounded_us(double us) {
  return std::round(us * 1e4) / 1e4;
}

void add_noise(Json& out, const VirtSample& sample) {
  out["threshold_us"] = sample.threshold_us;
  out["pass_ns"] = sample.pass_ns;
  out["interrupts"] = sample.interrupts;
  Json begins = Json::array(), lengths = Json::array();
  double end = 0;
  for (const Detour& detour : sample.detours) {
    const double begin = std::max(end, rounded_us(detour.begin_us));
    const double length = std::max(1e-4, rounded_us(detour.length_us));
    begins.push_back(begin);
    lengths.push_back(length);
    end = begin + length;
  }
  out["begin_us"] = std::move(begins);
  out["length_us"] = std::move(lengths);
}

}  // namespace

std::string virt_sample_to_line(const VirtSample& sample) {
  const VirtCase& spec = sample.spec;
  Json out = {{"schema", schema}};
  out["asked"] = {{"kind", name_of(spec.kind)},
                  {"what", spec.what},
                  {"pages", name_of(spec.pages)},
                  {"cpu", spec.cpu < 0 ? Json() : Json(spec.cpu)},
                  {"bytes", spec.bytes}};
  out["round"] = sample.round;
  out["facts"] = sample.facts;
  if (row_of(spec.kind).is_timed) {
    add_status(out, sample);
    out["seconds"] = sample.seconds;
    out["work"] = sample.work;
    out["disturbed"] = sample.disturbed;
    out["steal_percent"] = sample.steal_percent;
    out["verified"] = sample.verified;
  }
  if (row_of(spec.kind).is_on_every_cpu) add_noise(out, sample);
  add_notes(out, sample);
  return line_of(out, "visit to " + name_of(spec.kind), virt_sample_of);
}

VirtSample virt_sample_from_line(std::string_view line, const std::string& where) {
  VirtSample sample;
  read_line(line, where, cure_of_virt, [&](const Fields& fields) { sample = virt_sample_of(fields); });
  return sample;
}

std::vector<VirtSample> read_virt_samples(const std::string& path) {
  std::vector<VirtSample> all;
  for_each_line(path, [&](const Line& line) { all.push_back(virt_sample_from_line(line.text, line.where)); });
  return all;
}

}  // namespace gable::model
