#include "cli/bench/bench.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/buffers/buffer.hpp"
#include "bench/visit/campaign.hpp"
#include "cli/interrupt.hpp"
#include "cli/recording.hpp"
#include "cli/text/columns.hpp"
#include "kernels/kernel.hpp"
#include "model/json/roof.hpp"
#include "model/json/visits/visit.hpp"
#include "model/records/names.hpp"
#include "model/records/question.hpp"
#include "model/roofs/interval.hpp"
#include "model/roofs/roofs.hpp"
#include "model/statistics/statistics.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {

namespace {

using model::Case;
using model::Sample;
using model::Status;

// Reasons that differ only in their numbers are one.
std::map<std::string, int> reasons_of(const std::vector<Sample>& samples) {
  model::NotesByKind by_kind;
  for (const Sample& sample : samples)
    if (sample.status != Status::ok) add_alike(by_kind, "", sample.reason);
  std::map<std::string, int> reasons;
  for (const auto& [unused, alike] : by_kind) reasons[alike.text()] += alike.count();
  return reasons;
}

// The notes of all visits; those that differ only in their numbers are one.
model::Notes notes_of(const std::vector<Sample>& samples) {
  model::NotesByKind by_kind;
  for (const Sample& sample : samples)
    for (const model::Note& note : sample.notes) add_alike(by_kind, "", note);
  model::Notes notes;
  for (const auto& [unused, alike] : by_kind) notes.emplace_back(alike.text());
  return notes;
}

// "node 0 64 MiB, node 1 64 MiB"
std::string nodes_text(const std::map<int, std::uint64_t>& node_bytes) {
  if (node_bytes.empty()) return "not known (the kernel does not say)";
  return joined(node_bytes, [](const auto& node) {
    return fmt::format("node {} {}", node.first, bytes_text(node.second));
  });
}

std::string figure_title(const Case& spec, const Sample& seen) {
  std::string text =
      fmt::format("{}: {} of cluster {}", spec.kernel, count_text(spec.threads, "thread"), spec.cluster);
  const std::string cpus = fmt::format("{}", fmt::join(seen.cpus, ","));
  text += fmt::format(" on {} {}", plural(std::ssize(seen.cpus), "CPU"), cpus);
  if (is_peak(spec.kind)) return text + "\n";
  text += fmt::format(", {}", bytes_text(spec.bytes * static_cast<std::uint64_t>(spec.threads)));
  if (spec.threads > 1) text += fmt::format(" ({} each)", bytes_text(spec.bytes));
  if (is_memory(spec.level)) return text + fmt::format(" in {} memory\n", name_of(spec.pattern));
  return text + fmt::format(" in {}\n", spec.level.name());
}

std::string value_line(const SingleFigure& figure) {
  const model::Roof& roof = figure.roof;
  std::string text = fmt::format("  {} {}", number(roof.value), roof.unit);
  const model::IntervalForm form = model::interval_form(roof);
  if (form == model::IntervalForm::unknown)
    text += ", ±? (few values, which differ much)";
  else if (form != model::IntervalForm::none)
    text += fmt::format(", 95 % interval {} to {}", number(roof.lo), number(roof.hi));
  const kernels::Kernel* kernel = kernels::named(roof.spec.kernel);
  if (roof.spec.kind == model::Kind::bandwidth && kernel != nullptr && kernel->flops > 0) {
    const double flop_per_byte =
        kernel->flops / static_cast<double>(kernel->load_bytes + kernel->store_bytes);
    text += fmt::format("; {} GFlop/s", number(roof.value * flop_per_byte));
  }
  text += fmt::format(" ({}, {})", count_text(roof.n, "repetition"), count_text(figure.ok_visits, "visit"));
  if (figure.seen.clock_ghz > 0) text += fmt::format(", {:.2f} GHz", figure.seen.clock_ghz);
  return text + "\n";
}

std::string slower_line(const SingleFigure& figure) {
  std::vector<std::string> slower;
  for (const model::Roof& other : figure.others)
    slower.push_back(fmt::format("{} {}", other.spec.kernel, number(other.value)));
  if (slower.empty()) return {};
  return folded(fmt::format("  slower: {} {}", fmt::join(slower, ", "), figure.roof.unit), 4);
}

std::string disturbances(const SingleFigure& figure) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (figure.seen.disturbed > 0) add(count_text(figure.seen.disturbed, "repetition") + " dropped");
  if (figure.seen.crowded > 0)
    add(count_text(figure.seen.crowded, "repetition") +
        " dropped because another hardware thread used a core");
  if (figure.seen.steal_percent >= 0.05) add(fmt::format("up to {:.1f} % steal", figure.seen.steal_percent));
  for (const auto& [reason, count] : figure.spoilt)
    add(fmt::format("{} not counted: {}", count_text(count, "visit"), reason));
  return folded("  disturbed: " + (text.empty() ? "nothing seen" : text), 4);
}

// Names that users know from elsewhere.
std::string operation_named(const std::string& name) {
  static const std::map<std::string, std::string> others = {
      {"chase", "latency"}, {"peak", "fma_dp"}, {"fma", "fma_dp"}, {"mul", "mul_dp"}};
  const auto other = others.find(name);
  return other == others.end() ? name : other->second;
}

// A few lines; empty where there is no figure.
std::string single_text(const SingleFigure& figure) {
  if (figure.roof.status != Status::ok) return {};
  const Case& spec = figure.roof.spec;
  std::string text = figure_title(spec, figure.seen) + value_line(figure) + slower_line(figure);
  if (!is_peak(spec.kind))
    text += fmt::format("  pages: {}, {} each\n", nodes_text(figure.seen.node_bytes),
                        model::pages_text(spec.pages));
  text += disturbances(figure);
  if (!figure.roof.remarks.empty()) text += folded("  note: " + joined_sentences(figure.roof.remarks), 4);
  for (const model::Note& note : figure.seen.notes) text += folded("  note: " + sentence(note), 4);
  return text;
}

// A JSON object with a line feed at its end, with or without a figure.
std::string single_json(const SingleFigure& figure) {
  Json out = {{"schema", model::schema}, {"roof", model::roof_to_json(figure.roof)}};
  for (const model::Roof& other : figure.others) out["others"].push_back(model::roof_to_json(other));
  out["visits"] = figure.ok_visits;
  out["spoilt"] = figure.spoilt;
  out["disturbed"] = figure.seen.disturbed;
  out["crowded"] = figure.seen.crowded;
  model::FieldWriter io{out};
  model::describe_conditions(io, figure.seen);
  model::describe_notes(io, figure.seen);
  return json_text(out, 2) + "\n";
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): erase_if changes the copy.
SingleFigure single_figure(std::vector<Sample> samples) {
  SingleFigure figure;
  figure.others = model::fit_roofs(samples);
  const auto best = std::ranges::min_element(
      figure.others, [](const model::Roof& a, const model::Roof& b) { return is_better(a, b); });
  figure.roof = *best;
  figure.others.erase(best);
  std::erase_if(figure.others, [](const model::Roof& roof) { return roof.status != Status::ok; });
  std::erase_if(samples, [&](const Sample& sample) { return sample.spec.kernel != figure.roof.spec.kernel; });
  figure.spoilt = reasons_of(samples);
  figure.seen.notes = notes_of(samples);
  std::set<unsigned> cpus;
  std::erase_if(samples, [](const Sample& sample) { return sample.status != Status::ok; });
  figure.ok_visits = static_cast<int>(samples.size());
  for (const Sample& sample : samples) {
    figure.seen.disturbed += sample.disturbed;
    figure.seen.crowded += sample.crowded;
    figure.seen.steal_percent = std::max(figure.seen.steal_percent, sample.steal_percent);
    figure.seen.node_bytes = sample.node_bytes;
    figure.seen.started = figure.seen.started.empty() ? sample.started : figure.seen.started;
    cpus.insert(sample.cpus.begin(), sample.cpus.end());
  }
  figure.seen.cpus.assign(cpus.begin(), cpus.end());
  figure.seen.clock_ghz = model::median_clock(samples);
  return figure;
}

SingleFigure measured_figure(const machines::Machine& machine, bench::Options options,
                             const bench::Single& single) {
  const bench::Preset preset = bench::preset_of_seconds(single.seconds);
  options.preset = &preset;
  options.gets_huge_pages = bench::huge_pages_can_be_had();
  if (options.pages.empty())
    options.pages = {options.gets_huge_pages ? model::huge_pages() : model::small_pages()};
  const machines::Host host = machines::this_host();
  const bench::Plan plan = bench::single_plan(machine, host, options, single);
  std::vector<model::Sample> samples;
  const bench::Hooks hooks = {
      [&](const model::Sample& sample) { samples.push_back(sample); },
      [](const bench::Progress&) {},
      model::relative_half_width,
  };
  const bench::Outcome outcome =
      bench::run_campaign(machine, host, plan, options, {}, hooks, stop_requested());
  if (outcome.interrupted) throw Error::interrupted("interrupted");
  return single_figure(samples);
}

void measure_single(BenchArguments arguments) {
  arguments.single.op = operation_named(arguments.single.op);
  const machines::Machine machine = measurable_machine();
  const SingleFigure figure = measured_figure(machine, arguments.options, arguments.single);
  std::fputs((arguments.json ? single_json(figure) : single_text(figure)).c_str(), stdout);
  std::fflush(stdout);
  if (figure.roof.status == model::Status::ok) return;
  throw Error::failed(
      fmt::format("bench {}: no figure: {}", arguments.single.op, sentence(figure.roof.reason)));
}

}  // namespace gable::cli
