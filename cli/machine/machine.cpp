#include "cli/machine/machine.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/recorded_topology.hpp"
#include "cli/text/columns.hpp"
#include "kernels/kernel.hpp"
#include "machines/host.hpp"
#include "machines/json.hpp"
#include "machines/machine.hpp"

namespace gable::cli {

namespace {

using machines::Cache;
using machines::Cluster;
using machines::Host;
using machines::Machine;
using machines::Node;

// "0-3,8" of 0 1 2 3 8.
template <typename Number>
std::string ranges_text(std::vector<Number> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += text.empty() ? "" : ",";
    text += end - i == 1 ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end - 1]);
    i = end;
  }
  return text;
}

// "32 KiB"; "not known" of 0.
std::string size_text(std::uint64_t bytes) {
  return bytes == 0 ? "not known" : bytes_text(bytes);
}

// A table of words.
void print_rows(const char* title, const std::vector<std::string>& names, std::vector<Row> rows) {
  fmt::print("\n{}", table_text({title, columns(names), std::move(rows), {}}, false));
}

std::string tier_text(const Node& node) {
  const std::string tier = name_of(node.tier);
  return node.subtype.empty() || node.subtype == tier ? tier : fmt::format("{} ({})", tier, node.subtype);
}

void print_clusters(const Machine& machine) {
  std::vector<Row> rows;
  for (const Cluster& cluster : machine.clusters) {
    std::vector<std::string> nodes;
    for (unsigned index : cluster.nodes) {
      for (const Node& node : machine.nodes) {
        if (node.os_index == index) nodes.push_back(fmt::format("{} node {}", name_of(node.tier), index));
      }
    }
    const auto pus = machines::hardware_threads(cluster);
    rows.push_back(
        {fmt::format("{}", cluster.index),
         fmt::format("{}{}{}", cluster.cores.size(), cluster.kind.empty() ? "" : " ", cluster.kind),
         fmt::format("{}", pus.size()), ranges_text(pus),
         nodes.empty() ? "none that can be used" : fmt::format("{}", fmt::join(nodes, ", "))});
  }
  print_rows("Clusters: cores that share their local memory",
             {"cluster", "cores", "threads", "CPUs", "local memory"}, rows);
}

int threads_of_a_core(const Machine& machine) {
  std::size_t most = 1;
  for (const Cluster& cluster : machine.clusters) {
    for (const auto& core : cluster.cores) most = std::max(most, core.pus.size());
  }
  return static_cast<int>(most);
}

// Guests show caches that belong to one of a core's threads.
std::string sharing_text(const Cache& cache, int threads_of_a_core) {
  const auto threads = count_text(cache.pus_sharing, "thread");
  if (cache.cores_sharing == 1 && cache.pus_sharing < threads_of_a_core) return threads;
  const auto cores = count_text(cache.cores_sharing, "core");
  return cache.pus_sharing == cache.cores_sharing ? cores : fmt::format("{}, {}", cores, threads);
}

void print_caches(const Machine& machine) {
  std::vector<Row> rows;
  for (const Cache& cache : machine.caches) {
    const std::string size = cache.largest_bytes == cache.bytes
                                 ? size_text(cache.bytes)
                                 : size_text(cache.bytes) + " to " + size_text(cache.largest_bytes);
    rows.push_back({fmt::format("L{}", cache.level), size, fmt::format("{}", cache.count),
                    sharing_text(cache, threads_of_a_core(machine))});
  }
  if (rows.empty())
    print_rows("Caches", {""}, {{"the topology shows none"}});
  else
    print_rows("Caches", {"level", "size", "instances", "shared by"}, rows);
}

void print_nodes(const Machine& machine) {
  std::vector<Row> rows;
  for (const Node& node : machine.nodes) {
    std::vector<std::string> remarks;
    if (node.cpuless) remarks.push_back("CPU-less");
    if (node.memory_side_cache_bytes != 0) {
      remarks.push_back("memory-side cache of " + size_text(node.memory_side_cache_bytes));
    }
    const std::string local = node.local_to.empty()       ? "no cluster"
                              : node.local_to.size() == 1 ? "cluster " + ranges_text(node.local_to)
                                                          : "clusters " + ranges_text(node.local_to);
    rows.push_back({fmt::format("{}", node.os_index), tier_text(node),
                    node.bytes == 0 && node.local_to.empty() ? "none" : size_text(node.bytes), local,
                    fmt::format("{}", fmt::join(remarks, ", "))});
  }
  print_rows("Memory nodes", {"node", "tier", "size", "local to", ""}, rows);
}

void print_distances(const Machine& machine) {
  if (machine.distances.size() < 2) return;
  std::vector<std::string> names{"node"};
  for (const Node& node : machine.nodes) names.push_back(fmt::format("{:>3}", node.os_index));
  std::vector<Row> rows;
  for (std::size_t i = 0; i < machine.distances.size(); ++i) {
    Row row{fmt::format("{}", machine.nodes[i].os_index)};
    for (double distance : machine.distances[i]) row.emplace_back(fmt::format("{:>3}", distance));
    rows.push_back(row);
  }
  print_rows("Distances between nodes (firmware's scale: 10 is local)", names, rows);
}

void print_attributes(const Machine& machine) {
  if (machine.attributes.empty()) return;
  std::vector<Row> rows;
  for (const auto& attribute : machine.attributes) {
    rows.push_back({fmt::format("{}", attribute.cluster), fmt::format("{}", attribute.node),
                    attribute.gb_per_s ? fmt::format("{:.4g} GB/s", *attribute.gb_per_s) : "",
                    attribute.ns ? fmt::format("{:.4g} ns", *attribute.ns) : ""});
  }
  print_rows("Bandwidth and latency that the topology carries", {"cluster", "node", "bandwidth", "latency"},
             rows);
}

std::string limits_text(const Machine& machine, const Host& host) {
  std::vector<std::string> limits;
  std::size_t pus = 0;
  for (const Cluster& cluster : machine.clusters) pus += machines::hardware_threads(cluster).size();
  if (static_cast<int>(pus) < host.cpus_online) {
    limits.push_back(
        fmt::format("{} of {} online CPUs may be used (cpuset or binding)", pus, host.cpus_online));
  }
  if (host.memory_limit_bytes != 0) {
    limits.push_back(fmt::format("{} of {} memory may be used (cgroup)", size_text(host.memory_limit_bytes),
                                 size_text(host.memory_bytes)));
  }
  return limits.empty() ? "none" : fmt::format("{}", fmt::join(limits, "; "));
}

void print_host(const Machine& machine, const Host& host) {
  std::vector<std::string> pages;
  for (std::uint64_t bytes : host.page_bytes) pages.push_back(size_text(bytes));
  std::string hypervisor = host.hypervisor.empty() ? "none" : host.hypervisor;
  if (host.emulated) hypervisor += fmt::format(" ({})", machines::emulated_note);
  std::vector<Row> rows{
      {"ISAs", fmt::format("{}", fmt::join(kernels::isas(), ", "))},
      {"pages", fmt::format("{}; transparent huge pages: {}", fmt::join(pages, ", "),
                            host.thp.empty() ? "not known" : host.thp)},
      {"memory", host.memory_available_bytes ? size_text(*host.memory_available_bytes) + " available"
                                             : "how much is available is not known"},
      {"hypervisor", hypervisor},
      {"container", host.container.empty() ? "none" : host.container},
      {"limits", limits_text(machine, host)},
      {"system", fmt::format("{}, Linux {}", host.os.empty() ? "an unnamed system" : host.os, host.kernel)},
  };
  if (!host.governor.empty()) rows.push_back({"governor", host.governor});
  if (!host.microcode.empty()) rows.push_back({"microcode", host.microcode});
  print_rows("This host", {"", ""}, rows);
}

// Prints what gable machine shows: clusters, caches, memory nodes, distances and attributes, and of this
// machine its host; `host` is null of another one.
void print_screen(const Machine& machine, const Host* host) {
  std::size_t pus = 0;
  for (const Cluster& cluster : machine.clusters) pus += machines::hardware_threads(cluster).size();
  std::string name = machine.name.empty() && host ? host->name : machine.name;
  std::string cpu = machine.cpu_model.empty() && host ? host->cpu_model : machine.cpu_model;
  if (!name.empty()) name += ": ";
  if (!cpu.empty()) cpu += ", ";
  fmt::print("{}",
             folded(fmt::format("{}{}{}, {}, {}, {}", name, cpu, count_text(core_count(machine), "core"),
                                count_text(static_cast<std::int64_t>(pus), "hardware thread"),
                                count_text(static_cast<std::int64_t>(machine.clusters.size()), "cluster"),
                                count_text(static_cast<std::int64_t>(machine.nodes.size()), "memory node")),
                    2));
  print_clusters(machine);
  print_caches(machine);
  print_nodes(machine);
  print_distances(machine);
  print_attributes(machine);
  if (host) print_host(machine, *host);
}

// The machine of a folder as it was recorded, by topology.xml; JSON: machine.json as it stands there.
void show_recorded_machine(const std::string& folder, bool json) {
  const std::string description = file_in(folder, "machine.json"), topology = file_in(folder, "topology.xml");
  for (const std::string& file : {description, topology}) {
    if (!std::filesystem::exists(file))
      throw Error::usage(file + ": no such file; `gable measure DIR` and the published machines have it");
  }
  const RecordedMachine recorded = recorded_machine(folder).value();
  if (json) {
    fmt::print("{}", read_whole(description));
    return;
  }
  Machine machine = recorded_topology(folder);
  if (machine.name.empty()) machine.name = recorded.name;
  if (machine.cpu_model.empty()) machine.cpu_model = recorded.cpu_model;
  print_screen(machine, nullptr);
  if (recorded.emulated) fmt::print("\n{}\n", machines::emulated_note);
  if (!recorded.not_published.empty())
    fmt::print("\n{}", folded(fmt::format("Not published: {}.\n", fmt::join(recorded.not_published, "; "))));
}

}  // namespace

void show_machine(const MachineArguments& arguments) {
  if (!arguments.folder.empty())
    return show_recorded_machine(machine_folder(arguments.folder), arguments.json);
  const Machine machine = arguments.xml         ? machines::from_xml(*arguments.xml)
                          : arguments.synthetic ? machines::from_synthetic(*arguments.synthetic)
                                                : machines::this_machine();
  const Host host = machines::this_host();
  const Host* shown = machine.is_this_host ? &host : nullptr;
  if (arguments.json) {
    fmt::print("{}", machines::machine_json(machine, shown, kernels::isas()));
  } else {
    print_screen(machine, shown);
  }
}

}  // namespace gable::cli
