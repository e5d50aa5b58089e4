#include "cli/kmaf/machine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "base/whole_file.hpp"
#include "cli/folder.hpp"
#include "cli/kmaf/derived_timing.hpp"
#include "cli/kmaf/measured_costs.hpp"
#include "machines/machine.hpp"
#include "model/json/fields.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

double positive_number(const model::Fields& fields, const char* name) {
  const double value = fields.number(name);
  if (!(value > 0)) fields.fail(fmt::format("\"{}\" must be above 0", name));
  return value;
}

// The figures of replay.json; whether it has energies.
bool read_figures_of(const std::string& path, kmaf::Timing& timing, kmaf::Energy& energy) {
  const nlohmann::json document =
      model::parse_json(read_whole(path), path, "docs/formats/kmaf.md lists its fields");
  const model::Fields fields(document, path + ":1");
  fields.schema();
  const auto of = [&](const char* name) { return positive_number(fields, name); };
  timing = {of("l1_ns"),     of("l2_ns"),         of("l3_ns"),          of("local_ns"),
            of("remote_ns"), of("link_gb_per_s"), of("memory_gb_per_s")};
  if (!fields.has("energy")) return false;
  const model::Fields part = fields.object("energy");
  const auto in = [&](const char* name) { return positive_number(part, name); };
  energy = {in("l1_nj"),       in("l2_nj"), in("l3_nj"), in("memory_nj"), in("link_nj_per_byte"),
            in("static_watts")};
  return true;
}

}  // namespace

ReplayMachine read_replay_machine(const std::string& folder) {
  const std::string path = file_in(folder, "replay.json"), xml = file_in(folder, "topology.xml");
  if (!fs::exists(xml))
    throw Error::usage(xml + ": not there; replaying needs the topology and the latencies of the machine");
  const machines::Machine machine = machines::from_xml(xml);
  const fs::path name = fs::path(folder).lexically_normal();
  ReplayMachine read;
  read.name = (name.has_filename() ? name : name.parent_path()).filename().string();
  kmaf::Timing timing;
  kmaf::Energy energy;
  if (fs::exists(path)) {
    read.has_energy = reading(path, [&] { return read_figures_of(path, timing, energy); });
  } else {
    DerivedTiming derived = derived_timing(folder, machine);
    timing = derived.timing;
    read.derived = std::move(derived.sources);
  }
  const std::optional<MeasuredCosts> costs = measured_costs(folder, machine);
  if (costs) {
    timing.core_transfer_ns = costs->core_transfer_ns;
    timing.node_transfer_ns = costs->node_transfer_ns;
  }
  read.machine = reading(folder, [&] { return kmaf::simulated_machine(machine, timing, energy); });
  if (costs) {
    read.between_cores = costs->sources;
    if (kmaf::use_measured_costs(read.machine.hierarchy, costs->cost))
      read.between_cores.push_back(costs->of_levels);
  }
  return read;
}

}  // namespace gable::cli
