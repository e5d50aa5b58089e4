#include "cli/place/tiers.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/lists.hpp"

namespace gable::cli {

std::vector<bench::Tier> tiers_of(const machines::Machine& machine, std::vector<std::string> names,
                                  int cluster) {
  if (names.empty()) {
    for (const machines::Node& node : machine.nodes) {
      if (node.bytes > 0) add_once(names, name_of(node.tier));
    }
  }
  std::vector<bench::Tier> tiers;
  for (const std::string& name : names) {
    if (std::ranges::find(tiers, name, &bench::Tier::name) != tiers.end())
      throw Error::usage(fmt::format("--tiers {}: named twice", name));
    try {
      tiers.push_back(bench::find_tier(name, machine, cluster));
    } catch (const Error& error) {
      throw Error::usage(fmt::format("--tiers {}: {}", name, error.what()));
    }
  }
  return tiers;
}

}  // namespace gable::cli
