#include "model/json/tiers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/json/case.hpp"
#include "model/json/fields.hpp"
#include "model/json/format.hpp"

namespace gable::model {
namespace {

using nlohmann::ordered_json;

constexpr const char* cure_of_tiers = "correct or delete this line, then measure again";
const std::vector<std::string> whats = {"load", "store", "copy", "scale", "add", "triad", "latency"};
const std::vector<std::string> ways = {"", "store", "clwb", "clflushopt", "nt"};
const std::vector<std::string> orders = {"sequential", "random"};

const char* work_name(const TierCase& asked) {
  return asked.what == "latency" ? "accesses" : "bytes";
}

ordered_json json_of(const TierCase& asked) {
  return {{"tier", asked.tier},       {"what", asked.what},
          {"way", asked.way},         {"access_bytes", asked.access_bytes},
          {"order", asked.order},     {"cluster", asked.cluster},
          {"threads", asked.threads}, {"smt", asked.smt},
          {"bytes", asked.bytes}};
}

TierCase case_of(const Fields& fields) {
  TierCase asked;
  asked.tier = fields.text("tier");
  asked.what = fields.one_of("what", whats);
  asked.way = fields.one_of("way", ways);
  asked.access_bytes = fields.bytes("access_bytes");
  asked.order = fields.one_of("order", orders);
  asked.cluster = fields.integer("cluster");
  asked.threads = fields.integer("threads", 1);
  asked.smt = fields.boolean("smt");
  asked.bytes = fields.bytes("bytes");
  return asked;
}

std::string contradiction(const TierSample& sample) {
  const TierCase& asked = sample.asked;
  if (sample.seconds.size() != sample.work.size())
    return fmt::format("\"seconds\" has {} entries, \"{}\" has {}", sample.seconds.size(), work_name(asked),
                       sample.work.size());
  for (const auto* values : {&sample.seconds, &sample.work}) {
    if (!std::ranges::all_of(*values, [](double v) { return std::isfinite(v) && v > 0; }))
      return fmt::format("\"seconds\" and \"{}\" must be above 0", work_name(asked));
  }
  if (sample.status == Status::ok && sample.seconds.empty()) return "status \"ok\" without a repetition";
  if ((sample.status == Status::ok) != sample.reason.empty())
    return "a \"reason\" belongs to a status that is not ok, and only to that";
  if (asked.way.empty() != (asked.what == "load" || asked.what == "latency"))
    return "a \"way\" belongs to what is stored, and only to that";
  if (asked.access_bytes > 0 && asked.what != "store") return "\"access_bytes\" belong to stores";
  return {};
}

TierSample sample_of(const Fields& fields) {
  fields.schema();
  TierSample sample;
  sample.asked = case_of(fields.object("asked"));
  sample.round = fields.integer("round");
  sample.kernel = fields.text("kernel");
  sample.kind = fields.text("kind");
  sample.how = fields.text("how");
  sample.persistent = fields.boolean("persistent");
  if (!fields.at("vendor_gb_per_s").is_null()) sample.vendor_gb_per_s = fields.number("vendor_gb_per_s");
  sample.seconds = fields.numbers("seconds");
  sample.work = fields.numbers(work_name(sample.asked));
  sample.disturbed = fields.integer("disturbed");
  sample.clock_ghz = fields.number("clock_ghz");
  sample.steal_percent = fields.number("steal_percent");
  for (const double cpu : fields.numbers("cpus")) sample.cpus.push_back(static_cast<unsigned>(cpu));
  sample.node_bytes = fields.node_bytes("node_bytes");
  sample.status = status_from(fields);
  sample.reason = fields.text("reason");
  sample.notes = fields.texts("notes");
  sample.started = fields.text("started");
  if (const std::string wrong = contradiction(sample); !wrong.empty())
    fields.fail(wrong + "; " + cure_of_tiers);
  return sample;
}

}  // namespace

std::string tier_sample_to_line(const TierSample& sample) {
  ordered_json out = {{"schema", schema},
                      {"asked", json_of(sample.asked)},
                      {"round", sample.round},
                      {"kernel", sample.kernel},
                      {"kind", sample.kind},
                      {"how", sample.how},
                      {"persistent", sample.persistent}};
  out["vendor_gb_per_s"] = sample.vendor_gb_per_s > 0 ? ordered_json(sample.vendor_gb_per_s) : ordered_json();
  out["status"] = name_of(sample.status);
  out["reason"] = sample.reason;
  out["seconds"] = sample.seconds;
  out[work_name(sample.asked)] = sample.work;
  out["disturbed"] = sample.disturbed;
  out["clock_ghz"] = sample.clock_ghz;
  out["steal_percent"] = sample.steal_percent;
  out["cpus"] = sample.cpus;
  out["node_bytes"] = node_bytes_json(sample.node_bytes);
  out["notes"] = sample.notes;
  out["started"] = sample.started;
  std::string line = out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  tier_sample_from_line(line, "visit to " + sample.asked.tier);
  return line;
}

std::string tier_figures_to_json(const std::vector<TierFigure>& figures) {
  std::string text = "{\"schema\":1,\"figures\":[";
  for (const TierFigure& figure : figures) {
    const bool ok = figure.status == Status::ok;
    const auto if_ok = [&](double value) { return ok ? ordered_json(value) : ordered_json(); };
    ordered_json out = {{"asked", json_of(figure.asked)}};
    out["value"] = if_ok(figure.estimate.value);
    out["lo"] = if_ok(figure.estimate.lo);
    out["hi"] = if_ok(figure.estimate.hi);
    out["unit"] = figure.asked.what == "latency" ? "ns" : "GB/s";
    out["n"] = figure.estimate.n;
    out["status"] = name_of(figure.status);
    out["reason"] = figure.reason;
    out["kernel"] = figure.kernel;
    out["kind"] = figure.kind;
    out["how"] = figure.how;
    out["persistent"] = figure.persistent;
    out["vendor_gb_per_s"] =
        figure.vendor_gb_per_s > 0 ? ordered_json(figure.vendor_gb_per_s) : ordered_json();
    out["notes"] = figure.notes;
    out["source"] = figure.source;
    text += (&figure == &figures.front() ? "\n" : ",\n") +
            out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  return text + "\n]}\n";
}

TierSample tier_sample_from_line(std::string_view line, const std::string& where) {
  try {
    const nlohmann::json object = nlohmann::json::parse(line);
    if (!object.is_object()) throw FormatError(where + ": not an object; " + cure_of_tiers);
    return sample_of(Fields(object, where));
  } catch (const nlohmann::json::parse_error& error) {
    throw FormatError(fmt::format("{}: {}; {}", where, error.what(), cure_of_tiers));
  }
}

std::vector<TierSample> read_tier_samples(const std::string& path) {
  std::vector<TierSample> all;
  if (!std::filesystem::exists(path)) return all;
  const std::string text = read_whole(path);
  for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    all.push_back(tier_sample_from_line(std::string_view(text).substr(begin, end - begin),
                                        fmt::format("{}:{}", path, number)));
    begin = end + 1;
  }
  return all;
}

}  // namespace gable::model
