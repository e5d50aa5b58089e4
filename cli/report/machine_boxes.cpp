#include "cli/report/machine_boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/words.hpp"
#include "cli/show/shown_roofs.hpp"
#include "machines/machine.hpp"

namespace gable::cli {
namespace {

using Cluster = machines::Cluster;

using Packages = std::vector<std::vector<unsigned>>;  // their hardware threads

Packages packages_in(const std::string& path, std::vector<std::string>& remarks) {
  if (!std::filesystem::exists(path)) {
    remarks.emplace_back("There is no topology.xml: packages are not known.");
    return {};
  }
  try {
    return machines::packages_of_xml(path);
  } catch (const Error& error) {
    remarks.push_back(fmt::format("Packages are not known: {}", error.what()));
    return {};
  }
}

html::Memory memory_of(const machines::Node& node) {
  html::Memory memory{fmt::format("node {}", node.os_index), name_of(node.tier), ""};
  if (node.bytes > 0) memory.detail = bytes_text(node.bytes);
  if (node.memory_side_cache_bytes > 0)
    memory.detail += fmt::format(" behind a cache of {}", bytes_text(node.memory_side_cache_bytes));
  return memory;
}

std::string threads_text(const Cluster& cluster) {
  const std::vector<unsigned> threads = hardware_threads(cluster);
  const std::vector<int> pus(threads.begin(), threads.end());
  return count_text(std::ssize(cluster.cores), "core") + ", " +
         count_text(std::ssize(pus), "hardware thread") +
         (pus.empty() ? "" : fmt::format(" ({})", indices_text(pus)));
}

html::Cells cells_of(const machines::Cache& cache) {
  std::string detail = cache.bytes == 0 ? "size unknown" : bytes_text(cache.bytes);
  if (cache.largest_bytes > cache.bytes) detail += " to " + bytes_text(cache.largest_bytes);
  if (cache.count > 1) detail = fmt::format("{} × {}", cache.count, detail);
  detail +=
      cache.cores_sharing > 1 ? fmt::format(", shared by {} cores", cache.cores_sharing) : ", one per core";
  return {fmt::format("L{}", cache.level), detail, cache.count};
}

html::Box cluster_box(const RecordedMachine& machine, const Cluster& cluster) {
  html::Box box{"cluster", fmt::format("Cluster {}", cluster.index), threads_text(cluster), {}, {}, {}};
  box.rows.push_back({"Cores", "", static_cast<int>(cluster.cores.size())});
  for (const machines::Cache& cache : cluster.caches) box.rows.push_back(cells_of(cache));
  for (const machines::Node& node : machine.nodes) {
    if (std::ranges::find(cluster.nodes, node.os_index) != cluster.nodes.end())
      box.memories.push_back(memory_of(node));
  }
  return box;
}

// The package that has the cluster's threads; -1 where there is none or it is not the only one.
int package_of(const Cluster& cluster, const Packages& packages) {
  std::set<int> found;
  for (const unsigned pu : hardware_threads(cluster)) {
    const auto has = [&](const std::vector<unsigned>& package) {
      return std::ranges::find(package, pu) != package.end();
    };
    const auto package = std::ranges::find_if(packages, has);
    found.insert(package == packages.end() ? -1 : static_cast<int>(package - packages.begin()));
  }
  return found.size() == 1 ? *found.begin() : -1;
}

// Memory that is beside no cluster's cores: behind a link, or of a device.
void add_far_memory(std::vector<html::Box>& boxes, const RecordedMachine& machine) {
  html::Box far{"far", "Beside no cluster", "", {}, {}, {}};
  for (const machines::Node& node : machine.nodes) {
    const bool is_local = std::ranges::any_of(machine.clusters, [&](const Cluster& cluster) {
      return std::ranges::find(cluster.nodes, node.os_index) != cluster.nodes.end();
    });
    if (!is_local) far.memories.push_back(memory_of(node));
  }
  if (!far.memories.empty()) boxes.push_back(std::move(far));
}

}  // namespace

std::vector<html::Box> machine_boxes(const RecordedMachine& machine, const std::string& topology,
                                     std::vector<std::string>& remarks) {
  const Packages packages = packages_in(topology, remarks);
  std::vector<html::Box> boxes;
  for (std::size_t i = 0; i < packages.size(); ++i)
    boxes.push_back({"package", fmt::format("Package {}", i), "", {}, {}, {}});
  for (const Cluster& cluster : machine.clusters) {
    const int package = package_of(cluster, packages);
    std::vector<html::Box>& into = package < 0 ? boxes : boxes[static_cast<std::size_t>(package)].boxes;
    into.push_back(cluster_box(machine, cluster));
  }
  // A package without clusters has CPUs that were not ours to use.
  std::erase_if(boxes, [](const html::Box& box) { return box.kind == "package" && box.boxes.empty(); });
  add_far_memory(boxes, machine);
  return boxes;
}

}  // namespace gable::cli
