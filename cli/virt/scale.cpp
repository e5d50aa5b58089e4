#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/words.hpp"
#include "cli/output_file.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "cli/virt/tables.hpp"
#include "cli/virt/virt.hpp"
#include "model/virt/summary.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::cli {
namespace {

double time_of(const std::string& text, const char* option, bool may_be_0 = false) {
  return seconds_from(text, option, "10ms, 500us or 1s", may_be_0);
}

struct NoiseInput {
  std::vector<model::NoiseTrace> traces;
  std::string words;
  std::vector<std::string> notes;  // of the recorded visits, sentences
};

NoiseInput noise_input(const VirtScaleArguments& arguments) {
  if (arguments.share) {
    const double share = *arguments.share / 100, period = time_of(arguments.period, "--period");
    const std::string words =
        fmt::format("{:g} % of the time, {}", *arguments.share,
                    arguments.random ? "at random every " + duration_text(period) + " on average"
                                     : "every " + duration_text(period));
    constexpr double detours = 200'000;
    if (arguments.random) return {{model::random_trace(share, period, detours * period)}, words, {}};
    return {{model::periodic_trace(share, period)}, words, {}};
  }
  if (arguments.folder.empty())
    throw Error::usage("virt scale: name a folder with recorded noise, or give the noise by --share");
  const std::vector<model::VirtSample> samples = virt_samples_of(arguments.folder);
  require_kind(samples, arguments.folder, model::VirtKind::noise);
  NoiseInput input{model::recorded_traces(samples), "", model::notes_of(samples, model::VirtKind::noise)};
  double seconds = 0, lost = 0, longest = 0;
  for (const model::NoiseTrace& trace : input.traces) {
    seconds += trace.seconds();
    lost += trace.share() * trace.seconds();
    longest = std::max(longest, trace.longest());
  }
  input.words = fmt::format("recorded in {}, {:.3g} s: {:.3g} % of the time, the longest detour is {}",
                            arguments.folder, seconds, 100 * lost / seconds, duration_text(longest));
  return input;
}

Table scale_table(const std::vector<model::ScalePoint>& points) {
  Table table{"Slowdown by noise", columns({}, {"nodes", "without noise", "slowdown", "95 %"}, {""})};
  for (const model::ScalePoint& point : points)
    table.rows.push_back({std::to_string(point.nodes), duration_text(point.quiet),
                          fmt::format("{:.4f}", point.slowdown.value),
                          fmt::format("{:.4f} to {:.4f}", point.slowdown.lo, point.slowdown.hi),
                          point.beyond_record ? "at least" : ""});
  return table;
}

std::string scale_json(const std::vector<model::ScalePoint>& points, const VirtScaleArguments& arguments,
                       const std::vector<std::string>& notes) {
  std::string text =
      fmt::format("{{\"schema\":1,\"compute_seconds\":{},\"steps\":{},\"strong\":{},\"points\":[",
                  arguments.options.compute, arguments.options.steps, arguments.options.strong);
  for (const model::ScalePoint& point : points)
    text += fmt::format(
        "{}\n{{\"nodes\":{},\"quiet_seconds\":{},\"slowdown\":{},\"lo\":{},\"hi\":{},\"beyond_record\":{}}}",
        &point == &points.front() ? "" : ",", point.nodes, point.quiet, point.slowdown.value,
        point.slowdown.lo, point.slowdown.hi, point.beyond_record);
  return text + "\n],\"notes\":" + json_text(Json(notes)) + "}\n";
}

}  // namespace

void virt_scale(VirtScaleArguments arguments) {
  model::ScaleOptions& options = arguments.options;
  options.compute = time_of(arguments.compute, "--compute");
  options.latency = time_of(arguments.latency, "--latency", true);
  options.overhead = time_of(arguments.overhead, "--overhead", true);
  options.tree = arguments.collective == "tree";
  const NoiseInput input = noise_input(arguments);
  const bool recorded = !arguments.share.has_value();
  std::vector<model::ScalePoint> points =
      model::scale(input.traces, options, model::doubled_up_to(arguments.nodes));
  // A synthetic record says all there is of its noise.
  if (!recorded) {
    for (model::ScalePoint& point : points) point.beyond_record = false;
  }
  if (arguments.json) {
    std::fputs(scale_json(points, arguments, input.notes).c_str(), stdout);
  } else {
    Table table = scale_table(points);
    table.notes.push_back("Noise: " + input.words + ".");
    table.notes.insert(table.notes.end(), input.notes.begin(), input.notes.end());
    table.notes.push_back(
        fmt::format("{} steps of {}, {} by {}; messages: latency {}, CPU time {}.", options.steps,
                    duration_text(options.compute),
                    options.strong ? "shared by all nodes and joined" : "on each node and joined",
                    options.tree ? "trees" : "dissemination", duration_text(options.latency),
                    duration_text(options.overhead)));
    if (points.back().beyond_record)
      table.notes.emplace_back(
          "at least: together these nodes compute longer in a step than the record is; detours too rare for "
          "the record are missing.");
    std::fputs(table_text(table, false).c_str(), stdout);
  }
  if (arguments.output.empty()) return;
  draw_charts({charts::scale_chart({{recorded ? arguments.folder : input.words, points, input.notes}},
                                   options.strong)},
              arguments.output, arguments.pictures, arguments.json ? stderr : stdout);
}

}  // namespace gable::cli
