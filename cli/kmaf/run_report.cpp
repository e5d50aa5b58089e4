#include "cli/kmaf/run.hpp"

#include <fmt/format.h>
#include <string.h>

#include "base/lists.hpp"
#include "model/json/document.hpp"
#include "model/json/visits/note.hpp"
#include "model/points/access.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

namespace {

using kmaf::live::Report;

double share_of_cpu(double seconds, const Report& report) {
  return report.cpu_seconds > 0 ? seconds / report.cpu_seconds : 0;
}

std::string failures(const kmaf::live::Moves& moves) {
  std::string text;
  for (const auto& [reason, count] : moves.failed) text += fmt::format("    {} failed: {}\n", count, reason);
  return text;
}

std::string locality(const Report& report) {
  const auto line = [](const char* when, const kmaf::live::Locality& locality) {
    if (!locality.share()) return fmt::format("{} none seen", when);
    return fmt::format("{} {:.1f} % of {}", when, 100 * *locality.share(), locality.local + locality.remote);
  };
  return fmt::format("  local accesses      {}, {}\n", line("before", report.before),
                     line("in the last quarter", report.after));
}

// By node, of all clusters.
std::string accesses(const Report& report) {
  std::map<int, double> nodes;
  for (const kmaf::live::AccessShare& access : report.access) nodes[access.node] += access.share;
  if (nodes.empty()) return {};
  const std::string shares = joined(nodes, [](const auto& node) {
    return fmt::format("{:.1f} % to node {}", 100 * node.second, node.first);
  });
  std::string text = fmt::format("  accesses by node    {}, {}\n", shares,
                                 model::samples_text(nodes, report.access_samples));
  if (report.access_seen_in && *report.access_seen_in < kmaf::live::enough_seen)
    text += fmt::format("                      these samples are near {:.0f} % of its memory alone\n",
                        100 * *report.access_seen_in);
  return text;
}

Json access_json(const Report& report) {
  Json json = Json::array();
  for (const kmaf::live::AccessShare& access : report.access)
    json.push_back({{"cluster", access.cluster},
                    {"node", access.node},
                    {"share", access.share},
                    {"stores", access.stores ? Json(*access.stores) : nullptr}});
  return json;
}

std::string sampling(const Report& report) {
  std::string text = fmt::format("  samples             {} by {}, {:.0f} a second", report.samples,
                                 report.sampler, report.samples_per_second);
  if (report.passed_over > 0) text += fmt::format("; {} more ignored", report.passed_over);
  if (report.lost > 0) text += fmt::format("; {} lost", report.lost);
  if (report.rate_fixed)
    return text + fmt::format("\n  rate asked for      {:.0f} per second of CPU time, constant\n",
                              *report.rate_fixed);
  return text + fmt::format("\n  rate asked for      {:.0f} a second at the end\n", report.rate_asked);
}

bool is_over_budget(const Report& report) {
  return share_of_cpu(report.spent.sum(), report) > report.budget;
}

// The rate adapts over seconds, and what begins and ends a run takes its time however short the run is.
std::string budget_text(const Report& report) {
  constexpr double short_run_seconds = 10;
  if (!is_over_budget(report)) return {};
  std::string text =
      fmt::format("  over budget         {:.3f} % of the CPU time, and {:g} % is allowed (--overhead)\n",
                  100 * share_of_cpu(report.spent.sum(), report), 100 * report.budget);
  if (report.ending.seconds < short_run_seconds)
    text +=
        fmt::format("    the run lasted {:.1f} s: what managing costs at its start and end weighs the more\n",
                    report.ending.seconds);
  return text;
}

std::string overhead(const Report& report) {
  const auto part = [&](const char* name, double seconds) {
    return fmt::format("{} {:.3f} %", name, 100 * share_of_cpu(seconds, report));
  };
  return fmt::format("  overhead            {} of the CPU time: {}, {}, {}, {}\n",
                     fmt::format("{:.3f} %", 100 * share_of_cpu(report.spent.sum(), report)),
                     part("faults", report.spent.faults), part("tables", report.spent.tables),
                     part("mapping", report.spent.mapping), part("moving", report.spent.moving)) +
         budget_text(report);
}

std::string managed_by_engine(const Report& report) {
  std::string text = sampling(report) + locality(report);
  text += fmt::format("  mappings            {} judged, {} calculated, {} adopted\n", report.engine.mappings,
                      report.engine.mappings_calculated, report.engine.mappings_adopted);
  if (report.engine.places_tried > 0)
    text += fmt::format("  places              {} tried, {} kept\n", report.engine.places_tried,
                        report.engine.places_kept);
  text += fmt::format("  pages moved         {} of {} KiB\n", report.pages.done, report.unit_bytes >> 10);
  text += failures(report.pages);
  if (report.shared_objects && report.shared_objects->done + report.shared_objects->failures() > 0)
    text += fmt::format("  shared objects      {} sampled\n", report.shared_objects->done) +
            failures(*report.shared_objects);
  text += fmt::format("  tables              {} KiB at most, their index {} KiB, matrix {} KiB\n",
                      report.table_bytes >> 10, report.index_bytes >> 10, report.matrix_bytes >> 10);
  return text;
}

std::string recognized(const Report& report) {
  if (!report.recognized) return {};
  const auto& known = *report.recognized;
  std::string text = fmt::format(
      "  threads known       {} of {} in the record; {} others started, {} ended before they were examined\n",
      known.tasks, known.tasks + known.tasks_missed, known.tasks_unknown, known.tasks_gone);
  text +=
      fmt::format("  pages known         {} of {} KiB in place, {} elsewhere, {} never in memory\n",
                  known.pages_in_place, report.unit_bytes >> 10, known.pages_elsewhere, known.pages_missed);
  text += fmt::format("  memory not known    {} KiB at most, including code\n", known.unknown_bytes >> 10);
  text += fmt::format("  pages moved         {}\n", report.pages.done) + failures(report.pages);
  return text;
}

Json recognized_json(const Report& report) {
  if (!report.recognized) return {};
  const auto& known = *report.recognized;
  return {{"threads", known.tasks},
          {"threads_unknown", known.tasks_unknown},
          {"threads_gone", known.tasks_gone},
          {"threads_missed", known.tasks_missed},
          {"pages_in_place", known.pages_in_place},
          {"pages_elsewhere", known.pages_elsewhere},
          {"pages_missed", known.pages_missed},
          {"unknown_bytes", known.unknown_bytes}};
}

Json learned_json(const Report& report) {
  if (!report.learned) return {};
  return {{"threads", report.learned->tasks.size()},
          {"threads_left_out", report.learned->tasks_left_out},
          {"pages", report.learned->pages.size()},
          {"samples_left_out", report.learned->samples_left_out}};
}

Json moves_json(const kmaf::live::Moves& moves) {
  Json failed = Json::object();
  for (const auto& [reason, count] : moves.failed) failed[reason] = count;
  return {{"moved", moves.done}, {"failed", failed}};
}

Json shared_objects_json(const Report& report) {
  if (!report.shared_objects) return {};
  const auto json = moves_json(*report.shared_objects);
  return {{"seen_into", json["moved"]}, {"left", json["failed"]}};
}

Json locality_json(const kmaf::live::Locality& locality) {
  Json json = {{"local", locality.local}, {"remote", locality.remote}};
  json["share"] = model::or_null(locality.share());
  return json;
}

}  // namespace

std::string run_report_text(const Report& report) {
  std::string text =
      fmt::format("gable kmaf run: policy {}{}\n", name_of(report.policy),
                  report.managed || report.policy == kmaf::live::Policy::os ? "" : ", not carried out");
  text += fmt::format("  time                {:.3f} s, {:.3f} s of CPU time\n", report.ending.seconds,
                      report.cpu_seconds);
  if (report.ending.signal != 0)
    text += fmt::format("  ended               by signal {} ({})\n", report.ending.signal,
                        strsignal(report.ending.signal));
  if (!report.sampler.empty()) text += managed_by_engine(report);
  if (report.learned) {
    text += fmt::format("  learned             {} threads, {} pages; left out {} threads, {} samples\n",
                        report.learned->tasks.size(), report.learned->pages.size(),
                        report.learned->tasks_left_out, report.learned->samples_left_out);
  }
  text += accesses(report);
  text += recognized(report);
  if (report.threads.done + report.threads.failures() > 0)
    text += fmt::format("  threads bound       {}\n", report.threads.done) + failures(report.threads);
  if (!report.sampler.empty() || report.spent.sum() > 0) text += overhead(report);
  if (report.kernel_hint_faults.value_or(0) > 0) {
    text += fmt::format(
        "  kernel balancing    also active: {} hint faults, {} pages moved on the whole machine\n",
        *report.kernel_hint_faults, report.kernel_pages_moved.value_or(0));
  }
  for (const model::Note& note : report.notes)
    text += fmt::format("  note                {}\n", sentence(note));
  return text;
}

Json run_report_json(const Report& report) {
  const auto& spent = report.spent;
  return {
      {"schema", model::schema},
      {"policy", name_of(report.policy)},
      {"managed", report.managed},
      {"sampler", report.sampler.empty() ? Json() : Json(report.sampler)},
      {"seconds", report.ending.seconds},
      {"cpu_seconds", report.cpu_seconds},
      {"status", report.ending.status},
      {"signal", report.ending.signal},
      {"samples",
       {{"taken", report.samples},
        {"passed_over", report.passed_over},
        {"lost", report.lost},
        {"not_memory", report.not_memory},
        {"per_second", report.samples_per_second},
        {"per_second_asked", report.rate_fixed ? Json() : Json(report.rate_asked)},
        {"per_cpu_second_asked", model::or_null(report.rate_fixed)},
        {"fault_seconds", report.fault_seconds}}},
      {"tasks_started", {{"threads", report.threads_seen}, {"processes", report.processes_seen}}},
      {"mappings",
       {{"judged", report.engine.mappings},
        {"calculated", report.engine.mappings_calculated},
        {"adopted", report.engine.mappings_adopted},
        {"places_tried", report.engine.places_tried},
        {"places_kept", report.engine.places_kept},
        {"sharing_events", report.engine.sharing_events}}},
      {"learned", learned_json(report)},
      {"known", recognized_json(report)},
      {"unit_bytes", report.unit_bytes},
      {"pages", moves_json(report.pages)},
      {"threads", moves_json(report.threads)},
      {"shared_objects", shared_objects_json(report)},
      {"local_accesses",
       {{"before", locality_json(report.before)}, {"last_quarter", locality_json(report.after)}}},
      {"access", access_json(report)},
      {"access_samples", report.access_samples},
      {"access_seen_in", model::or_null(report.access_seen_in)},
      {"overhead_seconds",
       {{"faults", spent.faults},
        {"tables", spent.tables},
        {"mapping", spent.mapping},
        {"moving", spent.moving}}},
      {"overhead_share_of_cpu", share_of_cpu(spent.sum(), report)},
      {"overhead_budget", report.budget},
      {"over_budget", is_over_budget(report)},
      {"memory_bytes",
       {{"tables", report.table_bytes}, {"index", report.index_bytes}, {"matrix", report.matrix_bytes}}},
      {"kernel",
       {{"hint_faults", model::or_null(report.kernel_hint_faults)},
        {"pages_moved", model::or_null(report.kernel_pages_moved)}}},
      {"notes", report.notes},
  };
}

}  // namespace gable::cli
