#include "model/json/samples.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/json/case.hpp"
#include "model/json/fields.hpp"
#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"

namespace gable::model {
namespace {

constexpr const char* cure_of_samples = "correct or delete this line, then measure again to fill the gap";

// Where the samples were measured, a line that was cut off needs no editor.
std::string cure_of_cut(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return fmt::format("`gable measure '{}'` sets it aside and measures it again; elsewhere, delete this line",
                     folder.empty() ? "." : folder);
}

std::string work_name(Kind kind) {
  return name_of(row_of(kind).work);
}

// Why the loads are invalid; empty if they are valid.
std::string fault_of_loads(const Sample& sample) {
  for (const double bytes : sample.load_bytes) {
    if (!std::isfinite(bytes) || bytes < 0) return "\"load_bytes\" must be 0 or more";
  }
  const std::size_t loads = has_load(sample.spec.kind) ? sample.seconds.size() : 0;
  if (sample.load_bytes.size() == loads) return {};
  return fmt::format("\"load_bytes\" has {} entries, expected {}", sample.load_bytes.size(), loads);
}

Sample sample_from(const Fields& fields) {
  fields.schema();
  Sample sample;
  sample.spec = case_from(fields.object("asked"));
  sample.round = fields.integer("round");
  read_result(fields, work_name(sample.spec.kind).c_str(), sample.work, sample);
  if (has_load(sample.spec.kind)) sample.load_bytes = fields.numbers("load_bytes");
  if (const std::string fault = fault_of_loads(sample); !fault.empty()) fields.fail(fault);
  sample.stopped = fields.text("stopped");
  if (fields.has("adds_per_cycle")) {
    sample.crowded = fields.integer("crowded");
    sample.adds_per_cycle = fields.number("adds_per_cycle");
  }
  read_conditions(fields, sample);
  return sample;
}

}  // namespace

std::string to_line(const Sample& sample) {
  const std::string what = "sample of " + key(sample.spec);
  if (const std::string fault = fault_of_loads(sample); !fault.empty()) throw Error::format(what, fault);
  Json out = Json::object();
  out["schema"] = schema;
  add_case(out["asked"] = Json::object(), sample.spec);
  out["round"] = sample.round;
  add_status(out, sample);
  out["seconds"] = sample.seconds;
  out[work_name(sample.spec.kind)] = sample.work;
  if (has_load(sample.spec.kind)) out["load_bytes"] = sample.load_bytes;
  out["disturbed"] = sample.disturbed;
  out["stopped"] = sample.stopped;
  if (sample.adds_per_cycle > 0) {
    out["crowded"] = sample.crowded;
    out["adds_per_cycle"] = sample.adds_per_cycle;
  }
  add_conditions(out, sample);
  add_notes(out, sample);
  return line_of(out, what, sample_from);
}

Sample sample_from_line(std::string_view line, const std::string& where) {
  if (line.ends_with('\r'))
    throw Error::format(where, "the line ends in CR LF; convert the file to LF line ends");
  Sample sample;
  read_line(line, where, cure_of_samples, [&](const Fields& fields) { sample = sample_from(fields); });
  return sample;
}

std::vector<Sample> read_samples(const std::string& path) {
  std::vector<Sample> samples;
  for_each_line(path, [&](const Line& line) {
    if (!line.ends) throw Error::format(line.where, "the last line is cut off; " + cure_of_cut(path));
    samples.push_back(sample_from_line(line.text, line.where));
  });
  return samples;
}

}  // namespace gable::model
