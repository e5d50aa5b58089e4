#include "machines/host.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.hpp"
#include "base/words.hpp"
#include "machines/cgroup.hpp"
#include "machines/cores/midr.hpp"
#include "machines/files.hpp"
#include "machines/virtualization.hpp"

namespace gable::machines {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const std::string& name : names_in(folder)) found.push_back(folder / name);
  std::ranges::sort(found);
  return found;
}

// "[madvise]" of "always [madvise] never".
std::string chosen(const std::string& text) {
  const std::size_t from = text.find('['), to = text.find(']');
  return from < to && to != std::string::npos ? text.substr(from + 1, to - from - 1) : text;
}

// The governors in use, joined by commas where CPUs differ.
std::string governor(const fs::path& root) {
  std::set<std::string> names;
  for (const fs::path& policy : entries(root / "sys/devices/system/cpu/cpufreq")) {
    if (auto name = read_text(policy / "scaling_governor"); !name.empty()) names.insert(name);
  }
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

std::vector<std::uint64_t> page_sizes(const fs::path& root) {
  std::set<std::uint64_t> huge;
  for (const fs::path& entry : entries(root / "sys/kernel/mm/hugepages")) {
    const std::string name = entry.filename();  // hugepages-2048kB
    const auto kib = name.starts_with("hugepages-") ? to_number(name.substr(10)) : std::nullopt;
    if (kib) huge.insert(*kib * 1024);
  }
  // Transparent huge pages may exist even if there is no pool of that size.
  if (const auto pmd = to_number(read_text(root / "sys/kernel/mm/transparent_hugepage/hpage_pmd_size"))) {
    huge.insert(*pmd);
  }
  std::vector<std::uint64_t> sizes{static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
  for (std::uint64_t bytes : huge) {
    if (bytes > sizes.front()) sizes.push_back(bytes);
  }
  return sizes;
}

void read_memory(const fs::path& root, Host& host) {
  const auto bytes = [&](const char* field) {
    auto kib = to_number(read_field(root / "proc/meminfo", field, ':'));
    if (kib) *kib *= 1024;
    return kib;
  };
  host.memory_bytes = bytes("MemTotal").value_or(0);
  host.memory_available_bytes = bytes("MemAvailable");
  const auto limit = memory_limit(root);
  if (limit && (host.memory_bytes == 0 || limit->bytes < host.memory_bytes)) {
    host.memory_limit_bytes = limit->bytes;
    host.memory_available_bytes = std::min(host.memory_available_bytes.value_or(limit->left), limit->left);
  }
}

std::string cpu_model(const fs::path& root) {
  for (const char* field : {"model name", "Model Name", "cpu model", "cpu"}) {
    if (auto model = read_field(root / "proc/cpuinfo", field, ':'); !model.empty()) return model;
  }
  return arm_cores(root);
}

}  // namespace

Host this_host(const std::string& root_path) {
  const fs::path root(root_path);
  Host host;
  host.name = read_text(root / "proc/sys/kernel/hostname");
  host.cpu_model = cpu_model(root);
  host.kernel = read_text(root / "proc/sys/kernel/osrelease");
  const Hypervisor hypervisor = find_hypervisor(root);
  host.hypervisor = hypervisor.name;
  host.emulated = hypervisor.emulates;
  host.container = find_container(root);
  host.governor = governor(root);
  host.thp = chosen(read_text(root / "sys/kernel/mm/transparent_hugepage/enabled"));
  host.microcode = read_field(root / "proc/cpuinfo", "microcode", ':');
  host.os = read_field(root / "etc/os-release", "PRETTY_NAME", '=');
  host.page_bytes = page_sizes(root);
  host.cpus_online =
      static_cast<int>(listed_numbers(read_text(root / "sys/devices/system/cpu/online")).size());
  read_memory(root, host);
  return host;
}

}  // namespace gable::machines
