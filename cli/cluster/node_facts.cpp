#include "cli/cluster/node_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

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
  std::error_code ignored;
  for (const auto& controller : fs::directory_iterator("/sys/devices/system/edac/mc", ignored)) {
    std::error_code no_folder;
    for (const auto& dimm : fs::directory_iterator(controller.path(), no_folder)) {
      const long mib = std::atol(read_text(dimm.path() / "size").c_str());
      if (!dimm.path().filename().string().starts_with("dimm") || mib <= 0) continue;
      ++counts[bytes_text(static_cast<std::uint64_t>(mib) << 20) + " " +
               read_text(dimm.path() / "dimm_mem_type")];
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

constexpr const char* rough_mark = "about ";  // before an amount of memory that not every node has

// "s0.s3" of "s0.s3.node17": the switches above the node.
std::string switches() {
  const char* const address = std::getenv("SLURM_TOPOLOGY_ADDR");
  const std::string text = address == nullptr ? "" : address;
  const std::size_t end = text.rfind('.');
  return end == std::string::npos ? "" : text.substr(0, end);
}

// The bytes that a text such as "23.54 GiB" states; 0 for any other text.
double memory_bytes(const std::string& text) {
  double number = std::atof(text.c_str());
  for (const char* unit : {"KiB", "MiB", "GiB", "TiB"}) {
    number *= 1024;
    if (text.ends_with(unit)) return number;
  }
  return 0;
}

std::string memory_text(double bytes) {
  return bytes_text(static_cast<std::uint64_t>(bytes));
}

// The memory, rounded to half a power of two.
std::string rough_memory(const std::string& folder) {
  const auto machine = recorded_machine(folder);
  for (const Fact& fact : machine ? machine->facts : std::vector<Fact>()) {
    const double bytes = fact.name == "memory" ? memory_bytes(fact.value) : 0;
    if (bytes > 0) return rough_mark + memory_text(std::exp2(std::round(2 * std::log2(bytes)) / 2));
  }
  return "?";
}

}  // namespace

std::vector<NodeFact> recorded_facts(const std::string& folder) {
  Side side;
  side.shown.folder = folder;
  side.shown.machine = recorded_machine(folder);
  if (side.shown.machine) cli::add_facts(side);
  std::vector<NodeFact> facts;
  for (const Fact& fact : side.facts) facts.push_back({fact.group, fact.name, fact.value});
  return facts;
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

std::string hardware_of(const std::string& folder, const std::vector<NodeFact>& facts) {
  std::string text;
  for (const NodeFact& fact : facts) {
    const bool node = fact.name.starts_with("node ");
    if (fact.group != "hardware" ||
        (!node && fact.name != "CPU" && fact.name != "clusters" && fact.name != "caches"))
      continue;
    const std::string value = node ? fact.value.substr(0, fact.value.find(' ')) : fact.value;
    text += (text.empty() ? "" : "; ") + (node ? fact.name + " " + value : value);
  }
  return text + "; memory " + rough_memory(folder);
}

std::string with_median_memory(const std::string& hardware,
                               const std::vector<const std::vector<NodeFact>*>& nodes) {
  const std::size_t rough = hardware.rfind(rough_mark);
  std::vector<double> amounts;
  for (const std::vector<NodeFact>* facts : nodes) {
    for (const NodeFact& fact : *facts) {
      const double bytes = fact.name == "memory" ? memory_bytes(fact.value) : 0;
      if (bytes > 0) amounts.push_back(bytes);
    }
  }
  if (rough == std::string::npos || amounts.empty()) return hardware;
  const auto [least, most] = std::ranges::minmax(amounts);
  return hardware.substr(0, rough) + (least < most ? rough_mark : "") +
         memory_text(std::round(model::median(amounts)));
}

}  // namespace gable::cli
