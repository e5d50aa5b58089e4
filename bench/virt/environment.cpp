#include "bench/virt/environment.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "machines/files.hpp"

namespace gable::bench {

namespace {

namespace fs = std::filesystem;

// The number behind `name` in a file of names and numbers; negative if it has none.
double number_after(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  double value = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    if (in >> word >> value && word == name) return value;
  }
  return -1;
}

// A balloon takes memory from a guest while it runs: pages of the host that the guest believes to own.
std::string balloon_text(const fs::path& root) {
  std::string driver;
  std::error_code error;
  for (const char* path : {"sys/bus/virtio/drivers/virtio_balloon", "sys/bus/vmbus/drivers/hv_balloon",
                           "sys/devices/system/xen_memory", "sys/module/vmw_balloon"}) {
    if (fs::exists(root / path, error)) driver = fs::path(path).filename();
  }
  const double inflated = number_after(root / "proc/vmstat", "balloon_inflate");
  const double deflated = number_after(root / "proc/vmstat", "balloon_deflate");
  if (driver.empty() && inflated <= 0) return "none";
  if (inflated < 0) return driver + ", size unknown";
  constexpr double page = 4096;
  const double held = inflated > deflated ? (inflated - deflated) * page : 0;
  return fmt::format("{}, holds {}", driver.empty() ? "a balloon" : driver,
                     bytes_text(static_cast<std::uint64_t>(held)));
}

std::string steal_text(const fs::path& root) {
  std::ifstream file(root / "proc/stat");
  std::string name;
  double total = 0, value = 0, steal = 0;
  if (!(file >> name) || name != "cpu") return "";
  for (int field = 0; field < 8 && file >> value; ++field) {
    total += value;
    steal = field == 7 ? value : 0;
  }
  return total > 0 ? fmt::format("{:.2f} % since boot", 100 * steal / total) : "";
}

}  // namespace

std::map<std::string, std::string> environment_facts(const machines::Host& host, const std::string& root) {
  std::map<std::string, std::string> facts;
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) facts[name] = printable(text);
  };
  add("hypervisor",
      host.hypervisor.empty() ? "none seen" : host.hypervisor + (host.emulated ? ", emulated" : ""));
  add("guest pages", joined(host.page_bytes, bytes_text));
  add("transparent huge pages", host.thp);
  add("balloon", balloon_text(root));
  add("steal", steal_text(root));
  add("clock source", machines::read_text(fs::path(root) /
                                          "sys/devices/system/clocksource/clocksource0/current_clocksource"));
  return facts;
}

model::Hypervisor hypervisor_of(const machines::Host& host) {
  if (host.hypervisor.empty()) return model::Hypervisor::none;
  return host.emulated ? model::Hypervisor::emulates : model::Hypervisor::virtualizes;
}

}  // namespace gable::bench
