#include "bench/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/pages.hpp"
#include "base/words.hpp"
#include "bench/plan/filter.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

using model::Case;

std::string placement(const Run& run) {
  std::string text = name_of(run.cases.front().pages);
  if (run.first_pass) text += " large";  // other runs need no buffers of this size
  for (const Share& share : run.shares) {
    text += fmt::format(" {}:", share.cluster);
    for (const unsigned node : share.nodes) text += fmt::format("{},", node);
    if (share.node_percent >= 0) text += fmt::format(" {} %", share.node_percent);
    if (share.node_weight > 0) text += fmt::format(" {}:{}", share.node_weight, share.other_weight);
  }
  return text;
}

namespace {

void check_memory_set(const machines::Machine& machine, std::uint64_t bytes) {
  std::uint64_t most = 0;
  for (const machines::Node& node : machine.nodes) most = std::max(most, node.bytes);
  if (bytes > most && most > 0) {
    throw Error::usage(fmt::format("--memory-set: {} is more than any memory node has; the largest has {}",
                                   bytes_text(bytes), bytes_text(most)));
  }
  for (const machines::Cluster& cluster : machine.clusters) {
    const std::uint64_t least = least_memory_set(cluster);
    if (bytes == 0 || bytes >= least) continue;
    throw Error::usage(
        fmt::format("--memory-set: {} would fit partly in the caches of cluster {}; give {} MiB or more",
                    bytes_text(bytes), cluster.index, (least + MiB - 1) / MiB));
  }
}

}  // namespace

void check_options(const machines::Machine& machine, const Options& options) {
  check_filters(options.only);
  const std::vector<std::string> page_sizes_here = page_names();
  for (const model::Pages pages : options.pages) {
    if (std::ranges::find(page_sizes_here, name_of(pages)) == page_sizes_here.end()) {
      throw Error::usage(
          fmt::format("--pages {}: page sizes are {}", name_of(pages), fmt::join(page_sizes_here, ", ")));
    }
  }
  const auto isas = kernels::isas();
  check_memory_set(machine, options.memory_set_bytes);
  if (!options.isa.empty() && !is_among(isas, options.isa))
    throw Error::usage(fmt::format("--isa {}: this CPU runs {}", options.isa, fmt::join(isas, ", ")));
}

void describe_shares(const machines::Machine& machine, const Options& options, std::vector<Run>& runs) {
  constexpr std::uint64_t most_swept = 200 * MiB;  // few caches are larger
  for (Run& run : runs) {
    for (Share& share : run.shares) {
      const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(share.cluster));
      share.hands = static_cast<int>(pus_of(cluster, options.threads, options.smt).size());
      share.own =
          share.nodes.size() == 1 && share.node_percent < 0 && is_local_to(cluster, share.nodes.front());
      const std::uint64_t caches = last_level_bytes(cluster);
      run.swept_bytes = caches > 0 ? std::min(most_swept, 2 * caches) : most_swept;
    }
  }
}

}  // namespace gable::bench
