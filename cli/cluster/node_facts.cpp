#include "cli/cluster/node_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/files.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/compare/side.hpp"
#include "machines/files.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::cli {
namespace {

namespace fs = std::filesystem;
using machines::read_text;
using model::NodeFact;

// "8 × 32 GiB Registered-DDR4, 1 × 16 GiB ...", as the memory controllers tell (EDAC).
std::string dimms() {
  std::map<std::string, int> counts;
  const fs::path controllers = "/sys/devices/system/edac/mc";
  for (const std::string& controller : names_in(controllers)) {
    for (const std::string& name : names_in(controllers / controller)) {
      const fs::path dimm = controllers / controller / name;
      const long mib = std::atol(read_text(dimm / "size").c_str());
      if (!name.starts_with("dimm") || mib <= 0) continue;
      ++counts[bytes_text(static_cast<std::uint64_t>(mib) << 20) + " " + read_text(dimm / "dimm_mem_type")];
    }
  }
  return joined(counts, [](const auto& kind) { return fmt::format("{} × {}", kind.second, kind.first); });
}

std::string boost() {
  const fs::path folder = "/sys/devices/system/cpu";
  if (const std::string off = read_text(folder / "intel_pstate/no_turbo"); !off.empty())
    return off == "0" ? "on" : "off";
  const std::string on = read_text(folder / "cpufreq/boost");
  return on.empty() ? "" : on == "1" ? "on" : "off";
}

// "s0.s3" of "s0.s3.node17": the switches above the node.
std::string switches() {
  const char* const address = std::getenv("SLURM_TOPOLOGY_ADDR");
  const std::string text = address == nullptr ? "" : address;
  const std::size_t end = text.rfind('.');
  return end == std::string::npos ? "" : text.substr(0, end);
}

// CPU, clusters, caches and the tier of each node.
std::string hardware_text(const RecordedMachine& machine) {
  std::string text =
      fmt::format("{}; {}; {}", printable(machine.cpu_model), clusters_text(machine), caches_text(machine));
  for (const machines::Node& node : machine.nodes)
    text += fmt::format("; node {} {}", node.os_index, name_of(node.tier));
  return text;
}

}  // namespace

void add_machine(model::NodeRecord& record, const std::string& folder) {
  const auto machine = recorded_machine(folder);
  if (!machine) return;
  record.hardware = hardware_text(*machine);
  record.memory_bytes = machine->memory_bytes;
  for (const Fact& fact : facts_of(*machine)) record.facts.push_back({fact.group, fact.name, fact.value});
}

std::vector<NodeFact> system_facts() {
  const fs::path dmi = "/sys/class/dmi/id";
  std::vector<NodeFact> facts = {
      {"hardware", "board", read_text(dmi / "board_name")},
      {"hardware", "DIMMs", dimms()},
      {"system", "BIOS", read_text(dmi / "bios_version")},
      {"settings", "boost", boost()},
      {"settings", "NUMA balancing", read_text("/proc/sys/kernel/numa_balancing")},
      {"settings", "hardware threads", read_text("/sys/devices/system/cpu/smt/control")},
      {"place", "switch", switches()},
  };
  std::erase_if(facts, [](const NodeFact& fact) { return fact.value.empty(); });
  return facts;
}

HardwareGroup hardware_group(const model::NodeRecord& record) {
  if (record.memory_bytes == 0) return {record.hardware};
  return {record.hardware,
          static_cast<int>(std::lround(2 * std::log2(static_cast<double>(record.memory_bytes))))};
}

std::string hardware_group_text(const HardwareGroup& group, const std::vector<double>& memory_bytes) {
  if (memory_bytes.empty()) return group.hardware;
  const auto [least, most] = std::ranges::minmax(memory_bytes);
  return fmt::format("{}; memory {}{}", group.hardware, least < most ? "about " : "",
                     bytes_text(static_cast<std::uint64_t>(std::llround(model::median(memory_bytes)))));
}

}  // namespace gable::cli
