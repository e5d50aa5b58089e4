#include "cli/virt/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/text/columns.hpp"
#include "cli/virt/virt.hpp"
#include "model/json/lines.hpp"
#include "model/records/names.hpp"
#include "model/records/virt.hpp"
#include "model/virt/paging.hpp"
#include "model/virt/scale.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::cli {

namespace {

using model::VirtFigure;
using model::VirtSummary;

// Reaches are known to a quarter of an octave at best.
std::string reach_cell(double bytes) {
  return bytes_text(static_cast<std::uint64_t>(bytes));
}

std::string source_text(const model::NoiseSource& source) {
  std::string text = fmt::format("{} every {}", duration_text(source.length_us * 1e-6),
                                 duration_text(source.period_us * 1e-6));
  if (!source.name.empty())
    text += fmt::format(" ({})", source.name.starts_with("LOC") ? "tick" : source.name);
  return text;
}

std::string sources_text(const model::Noise& noise) {
  constexpr std::size_t most = 3;
  const std::string text = joined(std::views::take(noise.sources, most), source_text, "; ");
  return text.empty() ? "none found" : text;
}

void add_figures(Table& table, const VirtSummary& summary, model::VirtKind kind) {
  for (const VirtFigure& figure : summary.figures) {
    if (figure.spec.kind != kind) continue;
    table.rows.push_back(
        {name_of(figure.spec), with_ends(figure.estimate), figure.unit, std::to_string(figure.visits)});
    if (!row_of(kind).has_runs) continue;
    table.rows.back().emplace_back(duration_text(figure.seconds));
    table.rows.back().emplace_back(figure.verified);
  }
}

// Facts of the environment, with what is inferred from the costs. `native`: a folder of the same hardware
// without a hypervisor; nullptr: none.
Table environment_table(const VirtSummary& summary, const VirtSummary* native) {
  Table table{"Environment", columns({"", ""})};
  for (const auto& [name, value] : summary.facts) table.rows.push_back({name, value});
  const model::Paging paging = model::paging_of(summary, native);
  table.rows.push_back({"paging", model::paging_text(paging)});
  if (!paging.why.empty() && paging.kind != model::PagingKind::unknown)
    table.notes.push_back("Paging: " + joined_sentences(paging.why) + ".");
  const model::HostPages host = model::host_pages_of(summary);
  table.rows.push_back({"host pages", host.text.empty() ? "not known: " + sentence(host.why) : host.text});
  if (!host.text.empty()) table.notes.push_back("Host pages: " + sentence(host.why) + ".");
  return table;
}

Table walks_table(const VirtSummary& summary) {
  Table table{"Translation of addresses: what a random access costs beyond a packed one",
              columns({"pages", "level", "reach", "95 %", "a miss costs (ns)"})};
  for (const model::WalkLadder& ladder : summary.ladders) {
    const std::string pages = model::pages_text(ladder.pages);
    if (!ladder.fit.unknown.empty())
      table.rows.push_back({pages, "-", "-", sentence(ladder.fit.unknown), "-"});
    for (std::size_t k = 0; k < ladder.fit.levels.size(); ++k) {
      const model::TlbLevel& level = ladder.fit.levels[k];
      table.rows.push_back({pages, std::to_string(k + 1), reach_cell(level.reach.value),
                            reach_cell(level.reach.lo) + " to " + reach_cell(level.reach.hi),
                            with_ends(level.cost)});
    }
    if (ladder.fit.levels.size() > 1)
      table.rows.push_back({pages, "all", "", "far beyond them", with_ends(ladder.fit.beyond)});
  }
  if (summary.ladders.empty()) return table;
  const model::VirtPages packed = summary.ladders.front().packed_pages;
  table.notes.push_back(
      packed == model::VirtPages::none
          ? "No packed accesses were measured."
          : "Packed accesses touch the same number of cache lines in 1/32 of the memory, in " +
                model::pages_text(packed) + " pages.");
  add_notes(table, summary, model::VirtKind::walk);
  return table;
}

Table mapping_table(const VirtSummary& summary) {
  Table table{"Cost of mapping, each time", columns({"what"}, {"cost (95 %)", ""}, {"visits"})};
  add_figures(table, summary, model::VirtKind::map);
  add_notes(table, summary, model::VirtKind::map);
  return table;
}

Table noise_table(const VirtSummary& summary) {
  Table table{"Noise: detours of a thread that only reads the clock",
              columns({"CPU"}, {"lost (%)", "95 %", "per second", "median", "longest", "steal"},
                      {"periodic sources"})};
  for (const model::Noise& noise : summary.noises) {
    table.rows.push_back({std::to_string(noise.cpu), fmt::format("{:.4g}", 100 * noise.share.value),
                          fmt::format("{:.3g} to {:.3g}", 100 * noise.share.lo, 100 * noise.share.hi),
                          fmt::format("{:.0f}", noise.per_second()), duration_text(noise.median_us * 1e-6),
                          duration_text(noise.longest_us * 1e-6),
                          fmt::format("{:.2g} %", noise.steal_percent), sources_text(noise)});
  }
  if (!summary.noises.empty())
    table.notes.push_back(fmt::format("Detours above {:.2g} µs, in {:.3g} s per CPU.",
                                      summary.noises.front().threshold_us, summary.noises.front().seconds));
  add_notes(table, summary, model::VirtKind::noise);
  return table;
}

Table programs_table(const VirtSummary& summary) {
  Table table{"Programs on one core",
              columns({"program"}, {"rate (95 %)", "", "visits", "run"}, {"verified"})};
  add_figures(table, summary, model::VirtKind::program);
  add_notes(table, summary, model::VirtKind::program);
  return table;
}

}  // namespace

std::vector<model::VirtSample> virt_samples_of(const std::string& folder) {
  std::vector<model::VirtSample> samples =
      model::read_lines<model::VirtSample>(file_in(folder, "virt.jsonl"));
  if (samples.empty())
    throw Error::usage(fmt::format("{}: no figures of virtualization are recorded there; {}", folder,
                                   measuring_advice(folder, "virt")));
  return samples;
}

void require_kind(const std::vector<model::VirtSample>& samples, const std::string& folder,
                  model::VirtKind kind) {
  const bool has = std::ranges::any_of(samples, [&](const model::VirtSample& sample) {
    return sample.spec.kind == kind && sample.status == model::Status::ok;
  });
  if (has) return;
  throw Error::usage(fmt::format("{}: has no cells of {}; {}", folder, name_of(kind),
                                 measuring_advice(folder, fmt::format("virt,{}", name_of(kind)))));
}

void require_native(const model::VirtSummary& summary, const std::string& folder) {
  const auto found = summary.facts.find("hypervisor");
  if (found == summary.facts.end() || model::paging_of(summary, nullptr).kind == model::PagingKind::native)
    return;
  throw Error::usage(
      fmt::format("{}: was recorded in a guest (hypervisor {}), so its page walks and costs are not those of "
                  "the hardware; give a folder that was recorded without a hypervisor",
                  folder, found->second));
}

std::vector<charts::Chart> charts_of_virt(const std::vector<model::VirtSample>& samples,
                                          const std::string& machine, bool column) {
  const model::VirtSummary summary = model::virt_summary(samples);
  const std::vector<charts::VirtSide> sides = {{"", &summary}};
  std::vector<charts::Chart> all = {charts::virt_walks_chart(sides, column),
                                    charts::virt_noise_chart(sides, column)};
  const std::vector<model::NoiseTrace> traces = model::recorded_traces(samples);
  if (!traces.empty()) {
    const std::vector<int> nodes = {1, 4, 16, 64, 256, 1024, 4096, 16'384, 100'000};
    all.push_back(
        charts::scale_chart({{"this noise, 10 ms of computing per step", model::scale(traces, {}, nodes),
                              model::notes_of(samples, model::VirtKind::noise)}},
                            false, column));
  }
  for (charts::Chart& chart : all) chart.title += ", " + machine;
  return all;
}

void add_notes(Table& table, const VirtSummary& summary, model::VirtKind kind, const std::string& prefix) {
  const auto notes = summary.notes.find(kind);
  if (notes == summary.notes.end()) return;
  for (const std::string& note : notes->second) table.notes.push_back(prefix + note);
}

std::vector<Table> virt_tables(const VirtSummary& summary, const VirtSummary* native) {
  std::vector<Table> tables;
  for (Table table : {environment_table(summary, native), walks_table(summary), mapping_table(summary),
                      noise_table(summary), programs_table(summary)}) {
    if (!table.empty()) tables.push_back(std::move(table));
  }
  Table skipped{"Skipped or wrong", columns({"what", "why"})};
  for (const VirtFigure& figure : summary.skipped)
    skipped.rows.push_back({name_of(figure.spec), sentence(figure.reason)});
  if (!skipped.empty()) tables.push_back(std::move(skipped));
  if (summary.emulated() && !tables.empty())
    tables.back().notes.emplace_back("These costs are the emulator's, not those of a hypervisor.");
  return tables;
}

void virt_show(const VirtShowArguments& arguments) {
  const model::VirtSummary summary = model::virt_summary(virt_samples_of(arguments.folder));
  std::optional<model::VirtSummary> native;
  if (!arguments.native.empty()) {
    native = model::virt_summary(virt_samples_of(arguments.native));
    require_native(*native, arguments.native);
  }
  const auto text = [](const Table& table) { return table_text(table, false); };
  std::fputs(joined(virt_tables(summary, native ? &*native : nullptr), text, "\n").c_str(), stdout);
}

}  // namespace gable::cli
