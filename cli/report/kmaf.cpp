#include "cli/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "base/tables/table.hpp"
#include "cli/folder.hpp"
#include "cli/text/columns.hpp"
#include "kmaf/live/policy.hpp"
#include "model/json/fields.hpp"
#include "model/json/visits/note.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

namespace fs = std::filesystem;
using charts::ReplayRatios;
using model::Fields;

constexpr const char* cure =
    "`gable kmaf run --json --report FILE` and `gable kmaf replay --json` write what belongs there";

std::string share_cell(const Fields& accesses, const char* when) {
  const Fields locality = accesses.object(when);
  return locality.at("share").is_null() ? "none seen"
                                        : fmt::format("{:.1f} %", 100 * locality.number("share"));
}

std::string moved_cell(const Fields& report, const char* what) {
  return std::to_string(report.object(what).bytes("moved"));
}

std::string notes_cell(const Fields& report, const std::string& policy) {
  const bool managed = report.boolean("managed");
  std::string text = managed || policy == name_of(kmaf::live::Policy::os) ? "" : "not carried out";
  for (const model::Note& note : model::notes_from(report, "notes"))
    text += (text.empty() ? "" : "; ") + sentence(note);
  return text;
}

Row run_from(const Fields& report, const std::string& name) {
  const Fields accesses = report.object("local_accesses");
  const std::string policy = report.text("policy");
  return {name,
          policy,
          number(report.number("seconds")),
          number(report.number("cpu_seconds")),
          share_cell(accesses, "before"),
          share_cell(accesses, "last_quarter"),
          moved_cell(report, "pages"),
          moved_cell(report, "threads"),
          fmt::format("{:.3f} %", 100 * report.number("overhead_share_of_cpu")),
          notes_cell(report, policy)};
}

std::optional<kmaf::Summary> ratio_from(const Fields& policy, const char* name, int runs) {
  if (policy.at(name).is_null()) return {};
  const Fields ratio = policy.object(name);
  const double value = ratio.number("value");
  if (ratio.at("lo").is_null() || ratio.at("hi").is_null()) return kmaf::Summary{value, value, value, 1};
  return kmaf::Summary{value, ratio.real("lo"), ratio.real("hi"), std::max(runs, 2)};
}

ReplayRatios replay_from(const Json& document, const std::string& where) {
  const Fields replay(document, where);
  ReplayRatios ratios{fs::path(replay.text("trace")).stem().string(),
                      replay.text("machine"),
                      replay.integer("threads"),
                      replay.integer("runs"),
                      {},
                      {}};
  const Json& policies = replay.at("policies");
  const bool has_l3 = std::ranges::none_of(
      policies, [](const Json& policy) { return policy.is_object() && policy.contains("l2_miss_ratio"); });
  const std::pair<const char*, const char*> measures[] = {
      {"time_ratio", "time"},
      {has_l3 ? "l3_miss_ratio" : "l2_miss_ratio", has_l3 ? "L3 misses" : "L2 misses"},
      {"link_traffic_ratio", "link traffic"},
      {"energy_ratio", "energy"}};
  for (const auto& [field, name] : measures) ratios.measures.push_back({name, {}});
  for (const Json& element : policies) {
    const Fields policy(element, where);
    ratios.policies.push_back(policy.text("policy"));
    for (std::size_t i = 0; i < ratios.measures.size(); ++i)
      ratios.measures[i].of_policy.push_back(ratio_from(policy, measures[i].first, ratios.runs));
  }
  std::erase_if(ratios.measures, [](const kmaf::RatioToOs& measure) {
    return std::ranges::none_of(measure.of_policy, [](const auto& figure) { return figure.has_value(); });
  });
  return ratios;
}

void add_record(KmafRecords& records, const fs::path& path) {
  const std::string where = path.string() + ":1";
  const Json document = model::parse_json(read_whole(path), path, cure);
  const Fields fields(document, where);
  fields.schema();
  if (fields.has("replays")) {
    for (const Json& replay : fields.at("replays")) records.replays.push_back(replay_from(replay, where));
  } else if (fields.has("policies")) {
    records.replays.push_back(replay_from(document, where));
  } else if (fields.has("local_accesses")) {
    records.runs.push_back(run_from(fields, path.stem().string()));
  } else {
    fields.fail(fmt::format("neither a run nor a replay; {}", cure));
  }
}

std::string runs_html(const std::vector<Row>& runs) {
  return html::table_html({"Managed runs (gable kmaf run)",
                           columns({"run", "policy"},
                                   {"seconds", "CPU seconds", "local accesses before", "in the last quarter",
                                    "pages moved", "threads bound", "overhead"},
                                   {"notes"}),
                           runs});
}

}  // namespace

KmafRecords kmaf_records(const std::string& folder) {
  KmafRecords records;
  std::vector<fs::path> paths;
  const fs::path place = file_in(folder, "kmaf");
  if (!fs::is_directory(place)) return records;
  for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) reading(path, [&] { add_record(records, path); });
  return records;
}

std::string kmaf_html(const ReportContent& content) {
  const KmafRecords& records = content.kmaf;
  std::string out = html::paragraph(content.shown.replay);
  out += records.runs.empty()
             ? absent_html(content, "No managed run is recorded.",
                           "mkdir -p DIR/kmaf && gable kmaf run --json --report DIR/kmaf/app.json -- ./app")
             : runs_html(records.runs);
  if (records.replays.empty())
    return out + absent_html(content, "No replay is recorded.",
                             "mkdir -p DIR/kmaf && gable kmaf replay app.trace --machine DIR --json > "
                             "DIR/kmaf/replay.json");
  std::vector<charts::Chart> charts;
  for (const charts::ReplayRatios& replay : records.replays)
    charts.push_back(charts::replay_chart(replay, false));
  return out + content.figures.html_of(charts);
}

}  // namespace gable::cli
