#include "cli/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {
namespace {

using model::Case;
using model::Roof;
using model::Status;

// Peaks, then bandwidths from the inside out, then latencies.
auto order_of(const Roof& roof) {
  const bool peak = is_peak(roof.spec.kind);  // before the others
  const Case& spec = roof.spec;
  return std::tuple(!peak, spec.kind, spec.level, spec.op != model::operations::load, spec.op, spec.pattern,
                    spec.node, spec.load_percent);
}

Row row_of(const Roof& roof) {
  const Case& spec = roof.spec;
  const bool ok = roof.status == Status::ok;
  std::string threads = spec.threads > 0 ? std::to_string(spec.threads) : "";
  if (spec.smt) threads += " SMT";
  const bool has_interval = ok && roof.lo < roof.hi;
  return {name_of(spec, model::Style::roof),
          ok ? number(roof.value) : name_of(roof.status),
          ok ? interval_cell(roof) : "",
          has_interval ? number(roof.lo) : "",
          has_interval ? number(roof.hi) : "",
          roof.unit,
          roof.n > 0 ? std::to_string(roof.n) : "",
          threads,
          spec.kernel,
          model::pages_text(spec.pages),
          ok ? roof.source : sentence(roof.reason)};
}

std::string rows_html(const std::string& caption, std::vector<Roof> roofs) {
  sort_by(roofs, order_of);
  Table table{caption, columns({"roof"}, {"figure", "±", "from", "to"}, {"unit"})};
  for (const char* name : {"repetitions", "threads"}) table.add_column(name);
  for (const char* name : {"kernel", "pages", "source or reason"}) table.add_column(name, false);
  for (const Roof& roof : roofs) table.rows.push_back(row_of(roof));
  // Columns in which nothing is, as a published machine has them.
  for (std::size_t column = table.columns.size(); column-- > 1;) {
    if (std::ranges::all_of(table.rows, [&](const Row& row) { return row[column].empty(); }))
      table.drop_column(column);
  }
  return html::table_html(table);
}

// Without those that were skipped, which have a section of their own.
std::vector<Roof> roofs_in(const std::vector<Roof>& roofs, int cluster) {
  return those(roofs, [&](const Roof& roof) {
    return roof.spec.cluster == cluster && roof.status != Status::skipped;
  });
}

std::string cluster_html(const ReportContent& content, int cluster) {
  const std::vector<Roof> all = roofs_in(content.shown.roofs.roofs, cluster);
  const std::vector<Roof> best = model::best_of_each(
      all, [](const Roof& roof) { return !has_load(roof.spec.kind) && makes_roof(roof.spec.pattern); });
  std::string out;
  if (!best.empty())
    out += rows_html(fmt::format("Cluster {}: the best kernel and page size of each", cluster), best);
  if (all.size() > best.size())
    out += html::details_html(
        fmt::format("Cluster {}: all {} figures, with every kernel, page size and load", cluster, all.size()),
        rows_html(fmt::format("All of cluster {}", cluster), all));
  return out;
}

std::string levels_html(const std::vector<model::CacheLevel>& levels) {
  if (levels.empty()) return {};
  Table table{"Cache levels in the working-set ladder",
              columns({"cache"}, {"cluster", "claimed", "measured"}, {"remark"})};
  for (const model::CacheLevel& level : levels)
    table.rows.push_back({level.level.name(), std::to_string(level.cluster),
                          level.claimed_bytes > 0 ? bytes_text(level.claimed_bytes) : "?",
                          level.measured_bytes > 0 ? bytes_text(level.measured_bytes) : "?",
                          level.confirmed ? "confirmed" : sentence(level.remark)});
  return html::table_html(table);
}

std::string error_text(const std::optional<double>& percent) {
  return percent ? fmt::format("{:.1f} %", *percent) : "?";
}

std::string validation_html(const std::vector<model::Validation>& validations) {
  if (validations.empty()) return {};
  Table table{
      "Validation: programs of every arithmetic intensity against the roofs",
      columns({"roof"}, {"cluster", "points", "RMS error", "largest error", "error by the LARM paper"})};
  for (const model::Validation& each : validations)
    table.rows.push_back({name_of(each.roof, model::Style::target), std::to_string(each.roof.cluster),
                          std::to_string(each.points.size()), error_text(each.rms_percent),
                          error_text(each.max_percent), error_text(each.paper_percent)});
  return html::table_html(table);
}

// What the signs of the tables mean. Publications do not always say what their intervals are.
std::string signs_text(const std::vector<Roof>& roofs) {
  const auto any = [&](bool published) {
    return std::ranges::any_of(
        roofs, [&](const Roof& roof) { return roof.lo < roof.hi && roof.source.empty() != published; });
  };
  std::string text = any(false) ? fmt::format("{}. ", model::interval_rule) : "";
  if (any(true)) text += "± is as published. ";
  return text + "1 GB/s is 1e9 bytes/s.";
}

}  // namespace

std::string roofs_html(const ReportContent& content) {
  if (!content.has_roofs())
    return absent_html(content, "No roof is recorded.", "gable measure DIR && gable fit DIR");
  std::string out;
  const std::set<int> clusters = clusters_in(content.shown.roofs.roofs);
  for (const int cluster : clusters) {
    const std::string tables = cluster_html(content, cluster);
    out += cluster == *clusters.begin() ? tables
                                        : html::details_html(fmt::format("Cluster {}", cluster), tables);
  }
  const model::Roofs& roofs = content.shown.roofs;
  out += levels_html(roofs.levels);
  out += roofs.validation.empty() ? absent_html(content, "No validation is recorded.",
                                                "gable measure DIR --preset standard && gable fit DIR")
                                  : validation_html(roofs.validation);
  return out + html::paragraph(signs_text(roofs.roofs), "quiet");
}

std::string missing_html(const ReportContent& content) {
  std::string out;
  for (const Missing& missing : content.shown.missing) {
    std::string cases;
    for (const std::string& one : missing.cases) cases += "<li>" + html::escaped(one) + "</li>";
    const auto count = static_cast<std::int64_t>(missing.cases.size());
    out += html::details_html(
        fmt::format("{} {}: {}", count_text(count, "case"), model::name_of(missing.status), missing.reason),
        "<ul>" + cases + "</ul>");
  }
  if (out.empty()) out = html::paragraph("Nothing was skipped, and nothing is invalid.");
  if (content.shown.machine && !content.shown.machine->not_published.empty()) {
    std::string list;
    for (const std::string& one : content.shown.machine->not_published)
      list += "<li>" + html::escaped(one) + "</li>";
    out += html::paragraph("The source of this published machine does not give:") + "<ul>" + list + "</ul>\n";
  }
  return out;
}

}  // namespace gable::cli
