#include "cli/show/recorded.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/numbers.hpp"
#include "base/reading.hpp"
#include "cli/folder.hpp"
#include "cli/place/memory/memory.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "machines/host.hpp"
#include "model/json/fields.hpp"
#include "model/json/lines.hpp"
#include "model/json/visits/visit.hpp"
#include "model/points/mix_model.hpp"
#include "model/records/c2c.hpp"
#include "model/records/placed.hpp"
#include "model/records/records.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;

bool has_file(const std::string& folder, const char* file) {
  return fs::exists(file_in(folder, file));
}

std::string machine_name(const std::string& folder, const std::optional<RecordedMachine>& machine) {
  if (machine && !machine->name.empty()) return machine->name;
  return name_of_folder(folder);
}

// When the first and the last Sample started; empty without Samples.
struct Started {
  std::string first, last;
};

Started started_of(const std::string& folder) {
  std::string first, last, where;
  model::for_each_line(file_in(folder, "samples.jsonl"), [&](const model::Line& line) {
    if (!line.ends) return;  // cut off
    (first.empty() ? first : last) = line.text;
    where = line.where;
  });
  if (first.empty()) return {};
  const auto started = [&](const std::string& line) {
    return model::from_line<model::Sample>(line, where).started;
  };
  return {started(first), started(last.empty() ? first : last)};
}

// Whether roofs.json does not know the last Sample. A copied folder has the files' times of copying.
bool was_measured_since(const std::string& folder, const std::string& last) {
  const fs::path samples = file_in(folder, "samples.jsonl"), roofs = file_in(folder, "roofs.json");
  const auto fitted = fs::last_write_time(roofs);
  if (fs::last_write_time(samples) <= fitted) return false;
  const auto seconds = std::chrono::file_clock::to_sys(std::chrono::floor<std::chrono::seconds>(fitted));
  return last > fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)));
}

// roofs.json and hybrid.json; where there is no roofs.json, what gable fit would write.
void read_roofs(ShownFolder& shown, const std::string& last_started, bool keeps) {
  const std::string& folder = shown.folder;
  const bool has_samples = has_file(folder, "samples.jsonl"), has_roofs = has_file(folder, "roofs.json");
  if (has_roofs) {
    shown.roofs = roofs_of(folder);
    if (has_samples && was_measured_since(folder, last_started))
      shown.remarks.push_back(
          fmt::format("samples.jsonl is newer than these figures; `gable fit {}` brings them up to date.",
                      shell_quoted(folder)));
  }
  if (has_file(folder, "hybrid.json")) shown.hybrid = hybrid_of(folder);
  if (has_roofs) return;
  auto fitted = fit_unfitted(folder);
  if (!fitted) return;
  shown.roofs = std::move(fitted->roofs);
  shown.hybrid = std::move(fitted->hybrid);
  if (!keeps) return;
  shown.remarks.push_back(
      fmt::format("There is no roofs.json: these figures were fitted now; `gable fit {}` keeps them.",
                  shell_quoted(folder)));
}

// The folder with its machine, without any figure.
ShownFolder named_folder(const std::string& folder) {
  ShownFolder shown;
  shown.folder = folder;
  shown.machine = recorded_machine(folder);
  shown.name = machine_name(folder, shown.machine);
  return shown;
}

// Describes the memory nodes without cores of one tier.
std::string tier_text(const model::Fields& tier) {
  return fmt::format("{}: local {} ns, remote {} ns, {} GB/s per node", name_of(tier.tiers("tier")),
                     tier.number("local_ns"), tier.number("remote_ns"), tier.number("memory_gb_per_s"));
}

std::string replay_text(const std::string& folder) {
  if (!has_file(folder, "replay.json")) return {};
  const std::string path = file_in(folder, "replay.json");
  const Json document = model::parse_json(read_whole(path), path, "docs/formats/traces.md lists its fields");
  const model::Fields fields(document, path + ":1");
  fields.schema();
  const std::string beyond_l2 = fields.has("l3_ns")
                                    ? fmt::format("L3 {} ns", fields.number("l3_ns"))
                                    : fmt::format("another L2 {} ns", fields.number("core_transfer_ns"));
  std::string text = fmt::format(
      "replay.json, for gable kmaf replay: L1 {} ns, L2 {} ns, {}, local memory {} ns, remote {} ns; "
      "links {} GB/s, memory {} GB/s per node",
      fields.number("l1_ns"), fields.number("l2_ns"), beyond_l2, fields.number("local_ns"),
      fields.number("remote_ns"), fields.number("link_gb_per_s"), fields.number("memory_gb_per_s"));
  if (!fields.has("tiers")) return text + ".";
  for (const std::string& tier : fields.array("tiers", tier_text)) text += "; " + tier;
  return text + ".";
}

}  // namespace

ShownFolder read_samples_alone(const std::string& folder) {
  ShownFolder shown = named_folder(folder);
  if (auto fitted = fit_unfitted(folder)) {
    shown.roofs = std::move(fitted->roofs);
    shown.hybrid = std::move(fitted->hybrid);
  }
  shown.missing = missing_of(shown.roofs, shown.hybrid.missing);
  return shown;
}

ShownFolder read_folder(const std::string& folder, bool keeps) {
  ShownFolder shown = named_folder(folder);
  const Started started = started_of(folder);
  if (!started.first.empty()) shown.when = when_text(started.first, started.last);
  if (shown.machine && shown.machine->emulated)
    shown.remarks.push_back(fmt::format("{}.", machines::emulated_note));
  read_roofs(shown, started.last, keeps);
  add_changed_lines(folder, shown.roofs);
  shown.missing = missing_of(shown.roofs, shown.hybrid.missing);
  shown.points = points_of(folder);
  shown.readings = readings_of(folder, shown.points, Background{shown.roofs, model::mix_model(shown.hybrid)});
  shown.placed = model::read_lines<model::Placed>(file_in(folder, "placements.jsonl"));
  shown.tiers = recorded_figures(folder);
  shown.c2c = model::c2c_figures(model::read_lines<model::C2cSample>(file_in(folder, "c2c.jsonl")));
  const std::string replay = file_in(folder, "replay.json");
  shown.replay = reading(replay, [&] { return replay_text(folder); });
  const bool any = shown.machine || has_file(folder, "roofs.json") || has_file(folder, "hybrid.json") ||
                   !shown.replay.empty() || !shown.roofs.roofs.empty() || !shown.roofs.ladder.empty() ||
                   !shown.points.empty() || !shown.placed.empty() || !shown.tiers.empty() ||
                   !shown.c2c.empty();
  if (!any)
    throw Error::usage(
        fmt::format("{}: nothing is recorded there; `gable measure {}` measures this machine into it", folder,
                    shell_quoted(folder)));
  return shown;
}

CoreKinds core_kinds(const std::optional<RecordedMachine>& machine) {
  CoreKinds kinds;
  if (!machine) return kinds;
  for (const machines::Cluster& cluster : machine->clusters)
    if (!cluster.kind.empty()) kinds[cluster.index] = cluster.kind;
  return kinds;
}

namespace {

std::vector<charts::RecordedCore> cores_of(const RecordedMachine& machine) {
  std::vector<charts::RecordedCore> cores;
  int block = -1;
  for (const machines::Cluster& cluster : machine.clusters) {
    const int sharing = cluster.caches.empty() ? 0 : cluster.caches.back().cores_sharing;
    for (std::size_t core = 0; core < cluster.cores.size(); ++core) {
      const bool begins = core == 0 || (sharing > 0 && core % index(sharing) == 0);
      block += begins ? 1 : 0;
      cores.push_back({cluster.cores[core].pus, cluster.index, block});
    }
  }
  return cores;
}

}  // namespace

charts::Recorded machine_for_charts(const std::string& folder,
                                    const std::optional<RecordedMachine>& machine) {
  charts::Recorded recorded;
  recorded.machine = machine_name(folder, machine);
  if (!machine) return recorded;
  recorded.cpu = machine->cpu_model;
  recorded.core_kinds = core_kinds(machine);
  recorded.cores = cores_of(*machine);
  if (machine->emulated) recorded.caveat = machines::emulated_note;
  return recorded;
}

charts::Recorded roofs_for_charts(const ShownFolder& shown) {
  charts::Recorded recorded = machine_for_charts(shown.folder, shown.machine);
  recorded.roofs = shown.roofs;
  recorded.c2c = shown.c2c;
  return recorded;
}

}  // namespace gable::cli
