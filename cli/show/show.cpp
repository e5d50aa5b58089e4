#include "cli/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/json.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/fit/fit.hpp"
#include "cli/fit/tables.hpp"
#include "cli/folder.hpp"
#include "cli/place/memory/memory.hpp"
#include "cli/place/place.hpp"
#include "cli/point/tables/table.hpp"
#include "cli/show/shown_roofs.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "model/json/c2c/c2c.hpp"
#include "model/json/hybrid.hpp"
#include "model/json/lines.hpp"
#include "model/json/points.hpp"
#include "model/json/roof.hpp"
#include "model/json/tiers.hpp"
#include "model/records/placed.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {

namespace {

using model::Roof;
using model::Status;

// What was skipped or spoiled, and the main reasons.
std::string disturbance_text(const ShownFolder& shown) {
  constexpr std::size_t most = 3;
  if (shown.missing.empty()) return {};
  std::vector<const Missing*> reasons;
  std::size_t skipped = 0, invalid = 0;
  for (const Missing& missing : shown.missing) {
    (missing.status == Status::skipped ? skipped : invalid) += missing.cases.size();
    reasons.push_back(&missing);
  }
  sort_with(reasons, [](const Missing* a, const Missing* b) {
    if (a->status != b->status) return a->status == Status::invalid;
    return a->cases.size() > b->cases.size();
  });
  std::string text = fmt::format("Not measured: {} {} skipped, {} invalid.\n", skipped,
                                 plural(static_cast<int>(skipped), "case"), invalid);
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
    std::string line = fmt::format("  {} {}: {}", reasons[i]->cases.size(),
                                   model::name_of(reasons[i]->status), reasons[i]->reason);
    while (width_of(line) > sentence_columns()) line = line.substr(0, line.rfind(' ')) + "…";
    text += line + "\n";
  }
  if (reasons.size() > most)
    text += fmt::format("  and {} more {}\n", reasons.size() - most,
                        plural(static_cast<std::int64_t>(reasons.size() - most), "reason"));
  return text;
}

std::string text_of(const ShownTable& table) {
  std::string text = blocks_text(table.labels, table.blocks);
  if (text.empty()) return text;
  if (!table.note.empty()) text += "  " + table.note + "\n";
  return table.title.empty() ? text : table.title + "\n" + text;
}

Json roofs_json(const std::vector<model::Roof>& roofs) {
  Json out = Json::array();
  for (const model::Roof& roof : roofs) {
    out.push_back(model::roof_to_json(roof));
    if (!model::has_interval(roof)) out.back()["lo"] = out.back()["hi"] = nullptr;
  }
  return out;
}

Json lines_json(const ShownFolder& shown) {
  Json out = Json::array();
  for (const ShownLine& line : lines_of(shown))
    out.push_back({{"name", line.words},
                   {"unit", line.unit},
                   {"figures", roofs_json(line.figures)},
                   {"latencies", roofs_json(line.latencies)}});
  return out;
}

Json operations_json(const ShownFolder& shown) {
  Json out = Json::array();
  for (const ShownLine& line : operations_of(shown))
    out.push_back(
        {{"name", line.words}, {"ns", roofs_json(line.figures)}, {"cycles", roofs_json(line.latencies)}});
  return out;
}

Json missing_json(const ShownFolder& shown) {
  Json out = Json::array();
  for (const Missing& missing : shown.missing)
    out.push_back({{"status", model::name_of(missing.status)},
                   {"count", missing.cases.size()},
                   {"reason", missing.reason},
                   {"cases", missing.cases}});
  return out;
}

Json placed_json(const std::vector<model::Placed>& placed) {
  Json out = Json::array();
  for (const model::Placed& each : placed) out.push_back(json_from(model::to_line(each)));
  return out;
}

std::string titled(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}\n\n{}\n", title, text);
}

// Points, placements and tiers, which have no part in the roofs' tables.
std::string other_tables(const ShownFolder& shown) {
  return titled("Points: programs under the roofs",
                shown.points.empty() ? "" : point_table(shown.points, shown.readings, shown.points)) +
         titled("Placements", shown.placed.empty() ? "" : place_table(shown.placed)) +
         titled("Memory benchmarks of the tiers", shown.tiers.empty() ? "" : memory_table(shown.tiers)) +
         (shown.replay.empty() ? "" : folded(shown.replay, 2));
}

// "3 points, 12 placements": what only --all shows.
std::string others_text(const ShownFolder& shown) {
  std::vector<std::string> words;
  const auto add = [&](std::size_t count, const char* noun) {
    if (count > 0) words.push_back(count_text(static_cast<std::int64_t>(count), noun));
  };
  add(shown.points.size(), "point");
  add(shown.placed.size(), "placement");
  add(shown.hybrid.pairs.size(), "hybrid grid");
  return fmt::format("{}", fmt::join(words, ", "));
}

// Why figures of the first screen are not known, a line each; empty where all are.
std::string unknown_text(const ShownFolder& shown) {
  std::string text;
  for (const ShownLine& line : lines_of(shown)) {
    if (is_known(line) || shown.roofs.roofs.empty()) continue;
    std::vector<Roof> figures = line.figures;
    figures.insert(figures.end(), line.latencies.begin(), line.latencies.end());
    const std::string why = figures.empty() ? "no figure is recorded"
                                            : fmt::format("{}: {}", model::name_of(figures.front().status),
                                                          sentence(figures.front().reason));
    text += folded(fmt::format("  {}: {}", line.words, why), 4);
  }
  if (shown.machine && !shown.machine->not_published.empty())
    text += folded(
        fmt::format("  The source does not give: {}.", fmt::join(shown.machine->not_published, "; ")), 4);
  return text.empty() ? "" : "Not known\n" + text + "\n";
}

std::string all_text(const ShownFolder& shown) {
  const std::string tables = fit_tables(shown.roofs, shown.hybrid, shown.machine ? &*shown.machine : nullptr);
  return tables + thetas_table(shown.hybrid) + unknown_text(shown) + other_tables(shown) +
         (shown.roofs.roofs.empty()
              ? ""
              : folded(fmt::format("{}, n the repetitions behind a figure; 1 GB/s = 1e9 bytes/s.",
                                   model::interval_rule)));
}

}  // namespace

std::string machine_text(const ShownFolder& shown) {
  std::string text;
  if (shown.machine) {
    const RecordedMachine& machine = *shown.machine;
    std::set<std::size_t> sizes;
    for (const machines::Cluster& cluster : machine.clusters) sizes.insert(cluster.cores.size());
    const auto cores = static_cast<std::size_t>(machines::core_count(machine));
    if (!machine.cpu_model.empty()) text += machine.cpu_model + ", ";
    text += count_text(std::ssize(machine.clusters), "cluster");
    if (cores > 0) {
      const auto count = static_cast<std::int64_t>(sizes.size() == 1 ? *sizes.begin() : cores);
      text += (sizes.size() == 1 ? " of " : ", ") + count_text(count, "core");
    }
    text += ", " + count_text(std::ssize(machine.nodes), "memory node");
  }
  if (!shown.when.empty()) text += (text.empty() ? "measured " : "; measured ") + shown.when;
  return text;
}

std::string head_text(const ShownFolder& shown) {
  const std::string machine = machine_text(shown);
  std::string text = folded(machine.empty() ? shown.name : shown.name + ": " + machine, 2);
  for (const std::string& remark : shown.remarks) text += folded(remark);
  return text;
}

std::string screen_text(const ShownFolder& shown) {
  if (shown.roofs.roofs.empty()) return {};
  const ShownMatrix matrix = matrix_of(shown);
  const std::vector<ShownLine> lines = lines_of(shown);
  const std::vector<ShownLine> operations = operations_of(shown);
  const CoreKinds kinds = core_kinds(shown.machine);
  std::string text = text_of(matrix_table(matrix));
  for (const ShownTable& table : {summary_table(lines, kinds), operations_table(operations, kinds)}) {
    const std::string more = text_of(table);
    text += (text.empty() || more.empty() ? "" : "\n") + more;
  }
  if (const std::vector<std::string> words = unknown_words(shown, lines); !words.empty())
    text += folded(fmt::format("Not known: {}.", fmt::join(words, "; ")), 2);
  return text + "\n" + folded(conditions_of(matrix, lines, operations)) + disturbance_text(shown);
}

std::string shown_json(const ShownFolder& shown, bool all) {
  const ShownMatrix matrix = matrix_of(shown);
  Json out = Json::object();
  out["schema"] = model::schema;
  out["name"] = shown.name;
  out["cpu_model"] = shown.machine ? shown.machine->cpu_model : "";
  out["remarks"] = shown.remarks;
  out["matrix"] = {{"bandwidth", roofs_json(matrix.bandwidth)}, {"latency", roofs_json(matrix.latency)}};
  out["lines"] = lines_json(shown);
  out["operations"] = operations_json(shown);
  if (!shown.c2c.empty()) out["c2c"] = model::c2c_figures_json(shown.c2c);
  out["missing"] = missing_json(shown);
  out["not_published"] = shown.machine ? shown.machine->not_published : std::vector<std::string>();
  if (all) {
    out["roofs"] = json_from(model::roofs_to_json(shown.roofs));
    out["hybrid"] = json_from(model::hybrid_to_json(shown.hybrid));
    out["points"] = json_from(model::points_to_json(shown.points, shown.readings)).at("points");
    out["placements"] = placed_json(shown.placed);
    out["tiers"] = json_from(model::tier_figures_to_json(shown.tiers)).at("figures");
  }
  return json_text(out, 1) + "\n";
}

void show(const ShowArguments& arguments) {
  const ShownFolder shown = read_folder(machine_folder(arguments.folder));
  if (arguments.json) {
    std::fputs(shown_json(shown, arguments.all).c_str(), stdout);
    return;
  }
  const std::string screen = screen_text(shown);
  std::string text = head_text(shown) + "\n" + (screen.empty() ? "No roofs are recorded.\n" : screen);
  if (!shown.c2c.empty()) text += "\n" + c2c_text(shown.c2c);
  if (arguments.all || screen.empty()) {
    text += "\n" + all_text(shown);
  } else {
    const std::string others = others_text(shown);
    text += fmt::format("All tables{}: gable show {} --all\n", others.empty() ? "" : ", with " + others,
                        shell_quoted(arguments.folder));
  }
  std::fputs(text.c_str(), stdout);
}

}  // namespace gable::cli
