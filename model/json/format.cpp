#include "model/json/format.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/json/case.hpp"
#include "model/json/fields.hpp"

namespace gable::model {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

const char* work_name(const std::string& kind) {
  if (kind == "bandwidth") return "bytes";
  if (kind == "flops" || kind == "validation") return "flops";
  return "accesses";
}

std::vector<unsigned> cpus_from(const Fields& fields) {
  std::vector<unsigned> cpus;
  if (!fields.at("cpus").is_array()) fields.fail("\"cpus\" must be an array of CPU numbers");
  for (const json& cpu : fields.at("cpus")) {
    if (!cpu.is_number_unsigned() || cpu > INT32_MAX) fields.fail("\"cpus\" must be an array of CPU numbers");
    cpus.push_back(cpu.get<unsigned>());
  }
  return cpus;
}

bool all_positive(const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value) || value <= 0) return false;
  }
  return true;
}

// What a Sample must be beyond the types of its fields; empty when it is.
std::string contradiction(const Sample& sample) {
  const std::string work = work_name(sample.asked.kind);
  if (!all_positive(sample.seconds)) return "\"seconds\" must be above 0";
  if (!all_positive(sample.work)) return "\"" + work + "\" must be above 0";
  if (sample.seconds.size() != sample.work.size()) {
    return fmt::format("\"seconds\" has {} entries, \"{}\" has {}", sample.seconds.size(), work,
                       sample.work.size());
  }
  for (std::size_t i = 0; i < sample.work.size(); ++i) {
    const double rate = sample.work[i] / sample.seconds[i];
    if (rate < 1e-30 || rate > 1e30) return fmt::format("\"{}\" in \"seconds\" is a rate of {}", work, rate);
  }
  for (const double bytes : sample.load_bytes) {
    if (!std::isfinite(bytes) || bytes < 0) return "\"load_bytes\" must be 0 or more";
  }
  const std::size_t loads = sample.asked.kind == "loaded_latency" ? sample.seconds.size() : 0;
  if (sample.load_bytes.size() != loads) {
    return fmt::format("\"load_bytes\" has {} entries, expected {}", sample.load_bytes.size(), loads);
  }
  if (sample.status == Status::ok && sample.seconds.empty()) return "status \"ok\" without a repetition";
  if (sample.status == Status::ok && !sample.reason.empty()) return "status \"ok\" with a \"reason\"";
  if (sample.status != Status::ok && sample.reason.empty())
    return "a status that is not ok needs a \"reason\"";
  return {};
}

Sample sample_from(const Fields& fields) {
  fields.schema();
  Sample sample;
  sample.asked = case_from(fields.object("asked"));
  sample.round = fields.integer("round");
  sample.status = status_from(fields);
  sample.reason = fields.text("reason");
  sample.seconds = fields.numbers("seconds");
  sample.work = fields.numbers(work_name(sample.asked.kind));
  if (sample.asked.kind == "loaded_latency") sample.load_bytes = fields.numbers("load_bytes");
  sample.disturbed = fields.integer("disturbed");
  sample.stopped = fields.text("stopped");
  sample.clock_ghz = fields.number("clock_ghz");
  sample.steal_percent = fields.number("steal_percent");
  sample.cpus = cpus_from(fields);
  sample.node_bytes = fields.node_bytes("node_bytes");
  sample.notes = fields.texts("notes");
  sample.started = fields.text("started");
  if (const std::string wrong = contradiction(sample); !wrong.empty()) fields.fail(wrong);
  return sample;
}

constexpr const char* cure_of_samples = "; correct or delete this line, then measure again to fill the gap";

}  // namespace

std::string to_line(const Sample& sample) {
  ordered_json out;
  out["schema"] = schema;
  add_case(out["asked"], sample.asked);
  out["round"] = sample.round;
  out["status"] = name_of(sample.status);
  out["reason"] = sample.reason;
  out["seconds"] = sample.seconds;
  out[work_name(sample.asked.kind)] = sample.work;
  if (sample.asked.kind == "loaded_latency") out["load_bytes"] = sample.load_bytes;
  out["disturbed"] = sample.disturbed;
  out["stopped"] = sample.stopped;
  out["clock_ghz"] = sample.clock_ghz;
  out["steal_percent"] = sample.steal_percent;
  out["cpus"] = sample.cpus;
  out["node_bytes"] = node_bytes_json(sample.node_bytes);
  out["notes"] = sample.notes;
  out["started"] = sample.started;
  std::string line = out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  if (const std::string wrong = contradiction(sample); !wrong.empty()) {
    throw FormatError("sample of " + key(sample.asked) + ": " + wrong);
  }
  sample_from(Fields(json::parse(line), "sample of " + key(sample.asked)));
  return line;
}

Sample sample_from_line(std::string_view line, const std::string& where) {
  if (line.empty()) throw FormatError(where + ": an empty line" + cure_of_samples);
  if (line.back() == '\r')
    throw FormatError(where + ": the line ends in CR LF; convert the file to LF line ends");
  json parsed;
  try {
    parsed = json::parse(line);
  } catch (const json::exception& error) {
    throw FormatError(where + ": not a line of JSON: " + error.what() + cure_of_samples);
  }
  try {
    return sample_from(Fields(parsed, where));
  } catch (const FormatError& error) {
    throw FormatError(std::string(error.what()) + cure_of_samples);
  }
}

std::vector<Sample> read_samples(const std::string& path) {
  std::vector<Sample> samples;
  if (!std::filesystem::exists(path)) return samples;
  const std::string text = read_whole(path);
  std::size_t begin = 0;
  for (int line = 1; begin < text.size(); ++line) {
    const std::string where = path + ":" + std::to_string(line);
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) throw FormatError(where + ": the last line is cut off" + cure_of_samples);
    samples.push_back(sample_from_line(std::string_view(text).substr(begin, end - begin), where));
    begin = end + 1;
  }
  return samples;
}

}  // namespace gable::model
