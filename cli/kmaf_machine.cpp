#include "cli/kmaf_machine.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "machines/machine.hpp"
#include "model/format.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

double number(const nlohmann::json& object, const char* name, const std::string& path) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number() || !(found->get<double>() > 0)) {
    throw UsageError(fmt::format(
        "{}: \"{}\" is missing or not a number above 0 (docs/formats.md lists the fields)", path, name));
  }
  return found->get<double>();
}

nlohmann::json read_json(const std::string& path) {
  try {
    return nlohmann::json::parse(model::read_whole(path));
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(fmt::format("{}: not JSON", path));
  }
}

}  // namespace

ReplayMachine read_replay_machine(const std::string& folder) {
  if (!fs::is_directory(folder)) throw UsageError(folder + ": no such folder");
  const std::string path = folder + "/replay.json", xml = folder + "/topology.xml";
  for (const std::string& file : {xml, path}) {
    if (!fs::exists(file))
      throw UsageError(file + ": not there; replaying needs the topology and the latencies of the machine");
  }
  const nlohmann::json document = read_json(path);
  if (!document.is_object() || document.value("schema", 0) != model::schema)
    throw UsageError(fmt::format("{}: \"schema\" is not {}", path, model::schema));
  const auto of = [&](const char* name) { return number(document, name, path); };
  const kmaf::Timing timing{of("l1_ns"),     of("l2_ns"),         of("l3_ns"),          of("local_ns"),
                            of("remote_ns"), of("link_gb_per_s"), of("memory_gb_per_s")};
  kmaf::Energy energy;
  const auto found = document.find("energy");
  const bool has_energy = found != document.end() && found->is_object();
  if (has_energy) {
    const auto part = [&](const char* name) { return number(*found, name, path); };
    energy = {part("l1_nj"),       part("l2_nj"), part("l3_nj"), part("memory_nj"), part("link_nj_per_byte"),
              part("static_watts")};
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
