#include "points/policy.hpp"

#include <fmt/format.h>
#include <numaif.h>
#include <string.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/words.hpp"
#include "machines/affinity.hpp"
#include "machines/files.hpp"

namespace gable::points {

namespace {

constexpr int mpol_weighted_interleave = 6;  // Linux 6.9; missing in Debian 12's header
constexpr unsigned most_nodes = 1024;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error::usage(fmt::format("--policy {}: {}", text, why));
}

// Removes a number from the start of `text` and returns it.
unsigned take_number(std::string_view& text, const std::string& policy) {
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{})
    refuse(policy, "expected a memory node's number, such as bind:0 or interleave:0,1");
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

void check_node(unsigned node, const std::vector<unsigned>& nodes, const std::string& policy) {
  if (!is_among(nodes, node))
    refuse(policy, fmt::format("no memory node {}: the machine has the {} {}", node,
                               plural(std::ssize(nodes), "node"), fmt::join(nodes, ", ")));
}

// "0,2" or, with weights, "0=3,1=1".
void read_nodes(Policy& policy, std::string_view list, const std::vector<unsigned>& nodes,
                const std::string& text) {
  for (bool more = true; more;) {
    const unsigned node = take_number(list, text);
    check_node(node, nodes, text);
    if (is_among(policy.nodes, node)) refuse(text, fmt::format("node {} is named twice", node));
    policy.nodes.push_back(node);
    if (policy.kind == Policy::Kind::weighted) {
      if (!list.starts_with('=')) refuse(text, "give each node a weight, such as weighted:0=3,1=1");
      list.remove_prefix(1);
      const unsigned weight = take_number(list, text);
      if (weight < 1 || weight > 255) refuse(text, "a weight is a number from 1 to 255");
      policy.weights[node] = weight;
    }
    more = list.starts_with(',');
    if (more) list.remove_prefix(1);
  }
  if (!list.empty()) refuse(text, fmt::format("unexpected '{}' at the end", list));
  std::ranges::sort(policy.nodes);
}

struct Word {
  std::string_view name;
  Policy::Kind kind;
  bool needs_nodes;
};

constexpr Word words[] = {{"first-touch", Policy::Kind::first_touch, false},
                          {"interleave", Policy::Kind::interleave, false},
                          {"bind", Policy::Kind::bind, true},
                          {"preferred", Policy::Kind::preferred, true},
                          {"weighted", Policy::Kind::weighted, false}};

int mode_of(const Policy& policy) {
  switch (policy.kind) {
    case Policy::Kind::first_touch:
      return MPOL_DEFAULT;
    case Policy::Kind::interleave:
      return MPOL_INTERLEAVE;
    case Policy::Kind::bind:
      return MPOL_BIND;
    case Policy::Kind::preferred:
      return MPOL_PREFERRED;
    case Policy::Kind::weighted:
      return mpol_weighted_interleave;
  }
  return MPOL_DEFAULT;
}

}  // namespace

Policy parse_policy(const std::string& text, const std::vector<unsigned>& nodes) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = std::string_view(text).substr(0, colon);
  const auto word = std::ranges::find(words, name, &Word::name);
  if (word == std::end(words)) {
    std::vector<std::string> known;
    for (const Word& each : words) known.emplace_back(each.name);
    refuse(text, "policies are first-touch, interleave, bind:N, preferred:N and weighted:N=W,..." +
                     did_you_mean(name, known));
  }
  Policy policy;
  policy.kind = word->kind;
  const bool has_list = colon < text.size();
  if (has_list && policy.kind == Policy::Kind::first_touch) refuse(text, "first-touch names no nodes");
  if (!has_list && word->needs_nodes) refuse(text, fmt::format("which node? {0}:0, for example", word->name));
  if (has_list) {
    read_nodes(policy, std::string_view(text).substr(colon + 1), nodes, text);
  } else if (policy.kind != Policy::Kind::first_touch) {
    policy.nodes = nodes;
  }
  if (policy.kind == Policy::Kind::preferred && policy.nodes.size() > 1)
    refuse(text, "only one node can be preferred");
  return policy;
}

std::string wrong_weights(const Policy& policy, const std::filesystem::path& root) {
  if (policy.kind != Policy::Kind::weighted) return {};
  const std::filesystem::path folder = root / "sys/kernel/mm/mempolicy/weighted_interleave";
  if (!std::filesystem::exists(folder))
    return "this kernel has no weighted interleave (Linux 6.9 has); use interleave";
  std::string commands;
  for (const auto& [node, weight] : policy.weights) {
    const std::filesystem::path file = folder / fmt::format("node{}", node);
    if (machines::to_number(machines::read_text(file)) == weight) continue;
    commands += fmt::format("{}echo {} > {}", commands.empty() ? "" : "; ", weight, file.string());
  }
  if (commands.empty()) return {};
  return "the weights are system-wide and differ from these; as root: " + commands;
}

AppliedPolicy::AppliedPolicy(const Policy& policy) {
  for (const unsigned node : policy.nodes) {
    if (node >= most_nodes) throw Error::usage(fmt::format("memory node {}: the number is too large", node));
  }
  const machines::BitMask mask = machines::bit_mask(policy.nodes, most_nodes);
  const bool none = policy.nodes.empty();
  if (set_mempolicy(mode_of(policy), none ? nullptr : mask.data(), none ? 0 : most_nodes + 1) == 0) return;
  if (policy.kind == Policy::Kind::first_touch)
    return;  // where none may be set, the caller's holds: nearly always this one
  std::string why = policy.kind == Policy::Kind::weighted && errno == EINVAL
                        ? "this kernel has no weighted interleave (Linux 6.9 has)"
                        : strerror(errno);
  if (errno == EPERM) why += "; a container needs CAP_SYS_NICE";
  throw Error::usage("the kernel refuses the memory policy: " + why);
}

AppliedPolicy::~AppliedPolicy() {
  set_mempolicy(MPOL_DEFAULT, nullptr, 0);
}

AppliedCpus::AppliedCpus(const std::vector<unsigned>& cpus) : before_(machines::affinity_of(0)) {
  others_ = those(before_, [&](unsigned cpu) { return !is_among(cpus, cpu); });
  if (const int error = machines::set_affinity(0, cpus); error != 0)
    throw Error::usage(fmt::format("cannot run on CPUs {}: {}", fmt::join(cpus, ","), strerror(error)));
}

AppliedCpus::~AppliedCpus() {
  if (!before_.empty()) machines::set_affinity(0, before_);
}

}  // namespace gable::points
