#include "cli/kmaf/machine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/reading.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_topology.hpp"
#include "model/json/fields.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

double positive_number(const model::Fields& fields, const char* name) {
  const double value = fields.number(name);
  if (!(value > 0)) fields.fail(fmt::format("\"{}\" must be above 0", name));
  return value;
}

double number_or_0(const model::Fields& fields, const char* name) {
  return fields.has(name) ? positive_number(fields, name) : 0;
}

// How replay.json describes the simulated machine.
struct Described {
  kmaf::Timing timing;
  kmaf::TierFigures tiers;
  std::optional<kmaf::Energy> energy;
  kmaf::Pipeline core;
};

kmaf::Timing timing_from(const model::Fields& fields, bool has_l3) {
  const auto of = [&](const char* name) { return positive_number(fields, name); };
  if (!has_l3 && fields.has("l3_ns")) fields.fail("\"l3_ns\": the topology has no L3");
  if (!has_l3 && !fields.has("core_transfer_ns")) {
    fields.fail(
        "\"core_transfer_ns\" is missing: the topology has no L3, so a core gets a line from the L2 of "
        "another core");
  }
  kmaf::Timing timing = {of("l1_ns"),     of("l2_ns"),         has_l3 ? of("l3_ns") : 0, of("local_ns"),
                         of("remote_ns"), of("link_gb_per_s"), of("memory_gb_per_s")};
  timing.core_transfer_ns = number_or_0(fields, "core_transfer_ns");
  timing.node_transfer_ns = number_or_0(fields, "node_transfer_ns");
  timing.all_memory_gb_per_s = number_or_0(fields, "all_memory_gb_per_s");
  return timing;
}

// Reads the figures of memory nodes without cores, by tier.
kmaf::TierFigures tiers_from(const model::Fields& fields, const machines::Machine& machine) {
  kmaf::TierFigures tiers;
  if (!fields.has("tiers")) return tiers;
  const auto known = kmaf::other_memories(machine);
  const auto nothing = [](const model::Fields& tier) { return tier; };
  for (const model::Fields& tier : fields.array<model::Fields>("tiers", nothing)) {
    const model::Tiers of = tier.tiers("tier");
    if (!known.contains(of))
      tier.fail(fmt::format("\"tier\": the topology has no memory node of {} without cores", name_of(of)));
    const auto in = [&](const char* name) { return positive_number(tier, name); };
    const kmaf::MemoryFigures timing = {in("local_ns"), in("remote_ns"), in("memory_gb_per_s"),
                                        number_or_0(tier, "all_memory_gb_per_s"),
                                        tier.has("memory_bytes") ? tier.bytes("memory_bytes") : 0};
    if (!tiers.emplace(of, timing).second) tier.fail(fmt::format("\"tier\": {} is there twice", name_of(of)));
  }
  return tiers;
}

kmaf::Energy energy_from(const model::Fields& part, bool has_l3) {
  const auto in = [&](const char* name) { return positive_number(part, name); };
  return {in("l1_nj"),       in("l2_nj"), has_l3 ? in("l3_nj") : 0, in("memory_nj"), in("link_nj_per_byte"),
          in("static_watts")};
}

kmaf::Pipeline core_from(const model::Fields& part) {
  kmaf::Pipeline core;
  core.misses = part.integer("misses", 1, kmaf::most_misses);
  core.window = part.integer("window", 1);
  return core;
}

Described read_figures_of(const std::string& path, const machines::Machine& machine) {
  const Json document = model::parse_json(read_whole(path), path, "docs/formats/traces.md lists its fields");
  const model::Fields fields(document, path + ":1");
  fields.schema();
  const bool has_l3 = kmaf::has_l3(machine);
  Described figures{timing_from(fields, has_l3), tiers_from(fields, machine), {}, {}};
  if (fields.has("energy")) figures.energy = energy_from(fields.object("energy"), has_l3);
  if (fields.has("core")) figures.core = core_from(fields.object("core"));
  return figures;
}

}  // namespace

ReplayMachine read_replay_machine(const std::string& folder) {
  const std::string path = file_in(folder, "replay.json"), xml = file_in(folder, "topology.xml");
  if (!fs::exists(xml))
    throw Error::usage(xml + ": not there; replaying needs the topology and the latencies of the machine");
  const machines::Machine machine = recorded_topology(folder);
  ReplayMachine read;
  read.name = name_of_folder(folder);
  Described figures;
  if (fs::exists(path)) {
    figures = reading(path, [&] { return read_figures_of(path, machine); });
  } else {
    DerivedTiming derived = derived_timing(folder, machine);
    figures.timing = derived.timing;
    figures.tiers = std::move(derived.tiers);
    read.derived = std::move(derived.sources);
  }
  read.has_energy = figures.energy.has_value();
  const std::optional<MeasuredCosts> costs = measured_costs(folder, machine);
  if (costs) {
    if (costs->core_transfer_ns > 0) figures.timing.core_transfer_ns = costs->core_transfer_ns;
    if (costs->node_transfer_ns > 0) figures.timing.node_transfer_ns = costs->node_transfer_ns;
  }
  read.machine = reading(folder, [&] {
    return kmaf::simulated_machine(machine, figures.timing, figures.energy.value_or(kmaf::Energy()),
                                   figures.tiers);
  });
  read.machine.pipeline = figures.core;
  if (costs) {
    read.between_cores = costs->sources;
    if (kmaf::use_measured_costs(read.machine.hierarchy, costs->cost))
      read.between_cores.push_back(costs->of_levels);
  }
  return read;
}

}  // namespace gable::cli
