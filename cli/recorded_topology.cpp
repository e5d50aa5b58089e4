#include "cli/recorded_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/show/shown_roofs.hpp"

namespace gable::cli {

namespace {

std::string number_list(const std::vector<unsigned>& numbers) {
  return numbers.empty() ? "none" : indices_text({numbers.begin(), numbers.end()});
}

// "memory nodes 0 to 7 instead of 0 and 1"; empty where both have the same, or where the second is not known.
std::string differing_numbers(const std::string& what, std::vector<unsigned> found,
                              std::vector<unsigned> expected) {
  std::ranges::sort(found);
  std::ranges::sort(expected);
  if (found == expected || expected.empty()) return "";
  return fmt::format("{} {} instead of {}", what, number_list(found), number_list(expected));
}

// What the topology says otherwise; empty where both agree.
std::string topology_difference(const machines::Machine& topology, const RecordedMachine& recorded) {
  const auto number = [](const machines::Node& node) { return node.os_index; };
  std::string found =
      differing_numbers("memory nodes", each_of(topology.nodes, number), each_of(recorded.nodes, number));
  const std::size_t count = recorded.clusters.size();
  if (found.empty() && count > 0 && topology.clusters.size() != count)
    return fmt::format("{} instead of {}", count_text(std::ssize(topology.clusters), "cluster"), count);
  for (std::size_t i = 0; i < count && found.empty(); ++i) {
    const machines::Cluster &one = topology.clusters[i], &other = recorded.clusters[i];
    found = differing_numbers(fmt::format("cluster {} with hardware threads", i), hardware_threads(one),
                              hardware_threads(other));
    if (found.empty())
      found = differing_numbers(fmt::format("cluster {} with memory nodes", i), one.nodes, other.nodes);
  }
  return found;
}

}  // namespace

machines::Machine recorded_topology(const std::string& folder) {
  const std::string path = file_in(folder, "topology.xml");
  machines::Machine topology = machines::from_xml(path);
  const auto recorded = recorded_machine(folder);
  const std::string difference = recorded ? topology_difference(topology, *recorded) : "";
  if (difference.empty()) return topology;
  throw Error::format(path, fmt::format("is of another machine than {}: {}; take both from one recording",
                                        file_in(folder, "machine.json"), difference));
}

}  // namespace gable::cli
