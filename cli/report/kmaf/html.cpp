#include "cli/report/kmaf/html.hpp"

#include <fmt/format.h>

#include "base/tables/table.hpp"
#include "cli/text/columns.hpp"
#include "plots/charts/kmaf/charts.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

std::string share_cell(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "none seen";
}

std::string notes_cell(const KmafRunRecord& run) {
  std::string text = run.managed || run.policy == "os" ? "" : "not carried out";
  for (const model::Note& note : run.notes) text += (text.empty() ? "" : "; ") + sentence(note);
  return text;
}

std::string runs_html(const std::vector<KmafRunRecord>& runs) {
  Table table{"Managed runs (gable kmaf run)",
              columns({"run", "policy"},
                      {"seconds", "CPU seconds", "local accesses before", "in the last quarter",
                       "pages moved", "threads bound", "overhead"},
                      {"notes"})};
  for (const KmafRunRecord& run : runs)
    table.rows.push_back({run.name, run.policy, number(run.seconds), number(run.cpu_seconds),
                          share_cell(run.local_before), share_cell(run.local_last),
                          std::to_string(run.pages_moved), std::to_string(run.threads_bound),
                          fmt::format("{:.3f} %", 100 * run.overhead), notes_cell(run)});
  return html::table_html(table);
}

}  // namespace

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
