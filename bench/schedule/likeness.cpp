#include "bench/schedule/likeness.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "base/sorting.hpp"
#include "bench/plan/cells.hpp"
#include "kernels/kernel.hpp"
#include "machines/cores/places.hpp"
#include "model/records/names.hpp"

namespace gable::bench {

namespace {

using machines::Machine;
using model::Case;

// The time of a visit to cells of which there are as many as clusters times nodes.
constexpr double many_spots = 2.0 / 3;

// Each cluster, and each node, has spots in so many pairs of a class, or in all.
constexpr int most_pairs = 15;

// What a run is about, and which others are about the same on another part of the machine.
struct Family {
  std::string subject;          ///< the cluster, node or pair
  std::string name;             ///< with the class of the subject
  std::string words;            ///< the subject for readers
  int cluster = -1, node = -1;  ///< of remote memory, which has as many subjects as clusters times nodes
};

std::string class_of_cluster(const Machine& machine, int index) {
  const machines::Cluster& cluster = machine.clusters.at(static_cast<std::size_t>(index));
  std::string text =
      fmt::format("{} {} cores {} PUs", cluster.cores.size(), cluster.kind, cluster.cores.front().pus.size());
  for (const machines::Cache& cache : cluster.caches)
    text += fmt::format(" {}x{}:{}-{}", cache.count, cache.level, cache.bytes, cache.largest_bytes);
  return text;
}

std::string class_of_node(const Machine& machine, int cluster, int os_index) {
  const auto node =
      std::ranges::find(machine.nodes, static_cast<unsigned>(os_index), &machines::Node::os_index);
  if (node == machine.nodes.end()) return "";
  const bool local = std::ranges::find(node->local_to, cluster) != node->local_to.end();
  std::string text = fmt::format(" {} {} {} {} {}", name_of(node->tier), node->memory_side_cache_bytes,
                                 node->cpuless, local, node->local_to.size());
  const std::vector<unsigned>& own = machine.clusters.at(static_cast<std::size_t>(cluster)).nodes;
  if (!own.empty())
    text += fmt::format(" {}", machines::distance_between(machine, own.front(), node->os_index).value_or(0));
  for (const machines::Attribute& known : machine.attributes) {
    if (known.cluster == cluster && known.node == node->os_index)
      text += fmt::format(" {} {}", known.gb_per_s.value_or(0), known.ns.value_or(0));
  }
  return text;
}

// Nothing for runs of which every one is visited.
Family family_of(const Machine& machine, const Run& run) {
  const Case& spec = run.cases.front();
  if (spec.node < 0 || !run.skip.empty() || run.at_once) return {};
  const model::PatternRow& pattern = row_of(spec.pattern);
  const bool random = spec.kind == model::Kind::random;
  if (random && is_local(spec.pattern)) return {};  // no spot tells of them
  if (is_ladder(spec.pattern) || (pattern.all_clusters && pattern.data != model::Data::one_node)) return {};
  const bool alone = !pattern.all_clusters;
  Family family;
  if (alone) {
    family.words = fmt::format("cluster {}, node {}", spec.cluster, spec.node);
    family.name = class_of_cluster(machine, spec.cluster) + class_of_node(machine, spec.cluster, spec.node);
  } else {
    family.words = fmt::format("node {}", spec.node);
    std::multiset<std::string> clusters;  // in any order: the node is near to another one of them
    for (const Case& each : run.cases)
      clusters.insert(class_of_cluster(machine, each.cluster) +
                      class_of_node(machine, each.cluster, spec.node));
    family.name = fmt::format("{}", fmt::join(clusters, ", "));
  }
  if (spec.other_node >= 0) {
    family.words += fmt::format(" and {}", spec.other_node);
    const auto apart = machines::distance_between(machine, static_cast<unsigned>(spec.node),
                                                  static_cast<unsigned>(spec.other_node));
    family.name +=
        class_of_node(machine, spec.cluster, spec.other_node) + fmt::format(" {}", apart.value_or(0));
  }
  const std::string what =
      fmt::format("{} {}", is_grid(spec.pattern) ? name_of(spec.pages) : name_of(spec.kind), pattern.name);
  const bool as_bandwidth = spec.kind == model::Kind::latency || random;
  const std::string both = as_bandwidth ? fmt::format("bandwidth {}", pattern.name) : what;
  family.name = both + " " + family.name;
  family.subject = both + " " + family.words;
  if (alone && may_be_far(spec.pattern)) family.cluster = spec.cluster, family.node = spec.node;
  return family;
}

// The same for all subjects of a class.
std::string cell_of(Case spec) {
  spec.cluster = spec.node = 0;
  if (spec.other_node >= 0) spec.other_node = 0;
  return key(spec);
}

bool is_load_spot(int percent, int steps) {
  constexpr double spots[] = {0, 0.4, 0.7, 0.9, 1};
  return std::ranges::any_of(spots,
                             [&](double spot) { return percent == std::lround(spot * steps) * 100 / steps; });
}

bool is_spot(const Case& spec, const Options& options) {
  constexpr std::string_view basic[] = {"load", "store", "store_nt", "mix2_1", "chase"};
  constexpr std::string_view of_grid[] = {"store_nt", "mix1_1_nt"};  // beside loads
  constexpr double flop_per_byte[] = {0.25, 1, 4, 16};
  if (is_grid(spec.pattern)) {
    if (spec.node_weight > 0) return false;
    const bool ends = spec.node_percent == 0 || spec.node_percent == 100;
    if (spec.op == model::operations::load) return ends || spec.node_percent == 50;
    return spec.node_percent == 50 && std::ranges::find(of_grid, spec.op.name()) != std::end(of_grid);
  }
  const bool first_pages = spec.pages == page_sizes(options).front();
  if (has_load(spec.kind)) return first_pages && is_load_spot(spec.load_percent, options.preset->load_steps);
  if (spec.kind == model::Kind::validation) {
    const std::string widest = options.isa.empty() ? kernels::isas().back() : options.isa;
    return model::isa_of(spec.kernel) == widest &&
           std::ranges::find(flop_per_byte, spec.flop_per_byte) != std::end(flop_per_byte);
  }
  const bool is_basic = std::ranges::find(basic, spec.op.name()) != std::end(basic);
  return is_basic &&
         (first_pages || (spec.pattern == model::Pattern::local &&
                          (spec.op == model::operations::load || spec.op == model::operations::chase)));
}

struct Subject {
  std::vector<Run*> spots, others;
  std::map<std::string, const Run*> cells;
  Family family;
};

// The members of a class of remote memory that have no spots. Diagonals of the matrix of clusters and nodes
// are taken in an order that spreads them, until every cluster and every node has enough pairs.
std::set<std::string> without_spots(const std::vector<std::string>& members,
                                    const std::map<std::string, Subject>& subjects) {
  std::set<int> clusters, nodes;
  for (const std::string& member : members) {
    clusters.insert(subjects.at(member).family.cluster);
    nodes.insert(subjects.at(member).family.node);
  }
  const auto most = static_cast<std::ptrdiff_t>(std::max(clusters.size(), nodes.size()));
  const auto turn = [&](const std::string& member) {
    const Family& family = subjects.at(member).family;
    const auto row = std::distance(clusters.begin(), clusters.find(family.cluster));
    const auto column = std::distance(nodes.begin(), nodes.find(family.node));
    constexpr double golden = 0.6180339887498949;  // its multiples are far from each other, modulo 1
    return std::fmod(static_cast<double>((column - row + most) % most) * golden, 1.0);
  };
  std::vector<std::string> ordered = members;
  sort_by(ordered, turn);
  std::map<int, int> of_cluster, of_node;
  std::set<std::string> without;
  for (const std::string& member : ordered) {
    const Family& family = subjects.at(member).family;
    if (family.cluster < 0) break;
    if (of_cluster[family.cluster] >= most_pairs && of_node[family.node] >= most_pairs) {
      without.insert(member);
    } else {
      ++of_cluster[family.cluster];
      ++of_node[family.node];
    }
  }
  return without;
}

// The spots of a cluster, and of a node, in all their pairs of a class.
std::vector<std::string> row_and_column(const Family& family) {
  if (family.cluster < 0) return {};
  return {fmt::format("{}, all of cluster {}", family.name, family.cluster),
          fmt::format("{}, all of node {}", family.name, family.node)};
}

void mark(Subject& subject, const Subject& representative, int rounds, bool has_spots) {
  const auto twin_of = [&](const Run* run) {
    const auto twin = representative.cells.find(cell_of(run->cases.front()));
    return twin == representative.cells.end() ? nullptr : twin->second;
  };
  // All are visited where there are no spots, or where the representative lacks some cells (--only).
  if (subject.spots.empty() || !std::ranges::all_of(subject.spots, twin_of)) return;
  const std::vector<std::string> rows = row_and_column(subject.family);
  for (Run* spot : subject.spots) {
    if (!has_spots) break;
    spot->subjects = rows;
    spot->subjects.push_back(subject.family.subject);
    spot->twin = key(twin_of(spot)->cases.front());
    spot->like = representative.family.words;
    const model::Pattern pattern = spot->cases.front().pattern;
    if (!is_own(pattern) || spot->cases.front().kind == model::Kind::validation)
      spot->rounds = std::min(spot->rounds, rounds);
    if (may_be_far(pattern)) spot->visit_seconds *= many_spots;
  }
  std::vector<Run*> others = subject.others;
  if (!has_spots) others.insert(others.end(), subject.spots.begin(), subject.spots.end());
  for (Run* other : others) {
    if (twin_of(other) == nullptr) continue;
    other->subjects = has_spots ? std::vector{subject.family.subject} : rows;
    other->like = representative.family.words;
    other->reserve = true;
  }
}

}  // namespace

void mark_like(const Machine& machine, const Options& options, std::vector<Run>& runs) {
  std::map<std::string, std::vector<std::string>> classes;  // subjects, the representative first
  std::map<std::string, Subject> subjects;
  for (Run& run : runs) {
    const Family family = family_of(machine, run);
    if (family.subject.empty()) continue;
    const auto [known, is_new] = subjects.try_emplace(family.subject);
    if (is_new) classes[family.name].push_back(family.subject);
    Subject& subject = known->second;
    subject.family = family;
    subject.cells[cell_of(run.cases.front())] = &run;
    (is_spot(run.cases.front(), options) ? subject.spots : subject.others).push_back(&run);
  }
  for (const auto& [name, members] : classes) {
    const std::set<std::string> without = without_spots(members, subjects);
    for (std::size_t i = 1; i < members.size(); ++i)
      mark(subjects[members[i]], subjects[members.front()], options.preset->grid_rounds,
           !without.contains(members[i]));
  }
}

}  // namespace gable::bench
