#include "cli/kmaf/machine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/whole_file.hpp"
#include "cli/errors.hpp"
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

}  // namespace

ReplayMachine read_replay_machine(const std::string& folder) {
  if (!fs::is_directory(folder)) throw UsageError(folder + ": no such folder");
  const std::string path = folder + "/replay.json", xml = folder + "/topology.xml";
  for (const std::string& file : {xml, path}) {
    if (!fs::exists(file))
      throw UsageError(file + ": missing; replay needs the topology and the latencies of the machine");
  }
  const nlohmann::json document =
      model::parse_json(read_whole(path), path, "docs/formats-kmaf.md lists its fields");
  const model::Fields fields(document, path + ":1");
  fields.schema();
  const auto of = [&](const char* name) { return positive_number(fields, name); };
  const kmaf::Timing timing{of("l1_ns"),     of("l2_ns"),         of("l3_ns"),          of("local_ns"),
                            of("remote_ns"), of("link_gb_per_s"), of("memory_gb_per_s")};
  kmaf::Energy energy;
  const bool has_energy = fields.has("energy");
  if (has_energy) {
    const model::Fields part = fields.object("energy");
    const auto in = [&](const char* name) { return positive_number(part, name); };
    energy = {in("l1_nj"),       in("l2_nj"), in("l3_nj"), in("memory_nj"), in("link_nj_per_byte"),
              in("static_watts")};
  }
  const machines::Machine machine = machines::from_xml(xml);
  try {
    const fs::path name = fs::path(folder).lexically_normal();
    return {(name.has_filename() ? name : name.parent_path()).filename().string(),
            kmaf::simulated_machine(machine, timing, energy), has_energy};
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", folder, error.what()));
  }
}

}  // namespace gable::cli
