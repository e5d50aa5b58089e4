#include "kmaf/live/policies/oracle.hpp"

#include <algorithm>

#include "base/clocks.hpp"

namespace gable::kmaf::live {

namespace {

constexpr double advance_seconds = 0.02;  // may be spent in advance of the budget

// The cluster of each task.
std::vector<int> clusters_of(const Mapping& leaves, const Hierarchy& hierarchy) {
  std::vector<int> clusters;
  for (const int leaf : leaves) {
    const int node = hierarchy.leaves[static_cast<std::size_t>(leaf)].node;
    clusters.push_back(hierarchy.clusters[static_cast<std::size_t>(node)]);
  }
  return clusters;
}

std::vector<int> nodes_of(const Knowledge& knowledge, const Mapping& leaves, const Hierarchy& hierarchy) {
  std::vector<int> nodes = homes_of(knowledge, leaves, hierarchy);
  for (int& node : nodes) node = static_cast<int>(hierarchy.nodes[static_cast<std::size_t>(node)]);
  return nodes;
}

// Every first touch faults and is recorded, but only a small part of the later accesses, so it is left out.
double later_accesses(const KnownPage& page, const TaskUse& use) {
  return static_cast<double>(use.accesses) - (use.task == page.first_task ? 1 : 0);
}

}  // namespace

Oracle::Oracle(Setup setup, const Hierarchy& hierarchy, Sampler& follower, Kernel& kernel, Binder& binder)
    : setup_(std::move(setup)),
      leaves_(leaves_of(setup_.knowledge, hierarchy)),
      clusters_(clusters_of(leaves_, hierarchy)),
      follower_(follower),
      names_(setup_.program),
      threads_(setup_.knowledge, leaves_, hierarchy, binder, setup_.program, setup_.began, setup_.threads),
      pages_(setup_.knowledge, nodes_of(setup_.knowledge, leaves_, hierarchy), hierarchy.nodes, kernel),
      processes_{setup_.program},
      accounted_(thread_seconds()) {}

void Oracle::follow(const Event& event) {
  const bool ends = event.kind == Event::Kind::ended;
  if (!ends) names_.follow(event);
  threads_.follow(event, names_);
  if (ends) names_.follow(event);
  if (event.kind == Event::Kind::replaced || (ends && event.tid == event.pid)) pages_.forget(event.pid);
  if (event.tid != event.pid) return;
  if (event.kind == Event::Kind::started) processes_.push_back(event.pid);
  if (ends) std::erase(processes_, event.pid);
}

bool Oracle::affordable() {
  return spent_.sum() < advance_seconds + setup_.budget * follower_.cpu_seconds().value_or(0);
}

void Oracle::take(const Events& events, double now) {
  const double start = thread_seconds();
  if (follower_.lost() > 0) names_.lose_count();
  for (const Event& event : events) follow(event);
  threads_.advance(now, names_);
  const double bound = thread_seconds();
  spent_.tables += start - accounted_;
  spent_.moving += bound - start;
  if (setup_.pages && affordable()) pages_.work(processes_, names_, now);
  accounted_ = thread_seconds();
  spent_.moving += accounted_ - bound;
}

// By cluster: the accesses of its tasks for which pages had no room.
std::map<int, double> Oracle::accesses_of_others() const {
  std::vector<double> left;
  for (const KnownTask& task : setup_.knowledge.tasks) left.push_back(static_cast<double>(task.accesses));
  for (const KnownPage& page : setup_.knowledge.pages) {
    for (const TaskUse& use : page.uses)
      left[static_cast<std::size_t>(use.task)] -= static_cast<double>(use.accesses);
  }
  std::map<int, double> by_cluster;
  for (std::size_t task = 0; task < left.size(); ++task)
    by_cluster[clusters_[task]] += std::max(left[task], 0.0);
  return by_cluster;
}

// The recorded accesses, by where their threads and pages are now. Accesses of a page by other
// tasks than it names come from each cluster in proportion to what pages had no room for.
AccessWeights Oracle::access_weights() const {
  AccessWeights weights;
  if (!setup_.threads) return weights;
  const auto add = [&](int cluster, int node, double samples) {
    if (samples <= 0) return;
    weights[{cluster, node}].all += samples;
    weights[{cluster, node}].squares += samples;  // each weighs 1
  };
  const std::map<int, double> others = accesses_of_others();
  double all_others = 0;
  for (const auto& [cluster, samples] : others) all_others += samples;
  const std::vector<int> nodes = pages_.seen_on(setup_.knowledge);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0) continue;
    const KnownPage& page = setup_.knowledge.pages[i];
    for (const TaskUse& use : page.uses) {
      add(clusters_[static_cast<std::size_t>(use.task)], nodes[i], later_accesses(page, use));
    }
    if (page.others == 0 || all_others <= 0) continue;
    for (const auto& [cluster, samples] : others)
      add(cluster, nodes[i], static_cast<double>(page.others) * samples / all_others);
  }
  return weights;
}

// Pages count as seen if there is a sample within the least window of pages that the kernel hides.
std::optional<double> Oracle::seen_share() const {
  constexpr std::uint64_t window_bytes = 4 << 20;
  struct Window {
    double pages = 0, samples = 0;
  };
  std::map<std::pair<int, std::uint64_t>, Window> windows;  // by program and place
  const std::vector<int> nodes = pages_.seen_on(setup_.knowledge);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] < 0) continue;
    const KnownPage& page = setup_.knowledge.pages[i];
    Window& window = windows[{page.program, page.address / window_bytes}];
    ++window.pages;
    for (const TaskUse& use : page.uses) window.samples += later_accesses(page, use);
    window.samples += static_cast<double>(page.others);
  }
  double all = 0, seen = 0;
  for (const auto& [place, window] : windows) {
    all += window.pages;
    if (window.samples > 0) seen += window.pages;
  }
  if (all <= 0) return {};
  return seen / all;
}

void Oracle::finish(Report& report) {
  const AccessWeights weights = access_weights();
  report.access = access_shares(weights, false);
  report.access_samples = effective_samples(weights);
  report.access_seen_in = seen_share();
  report.spent = spent_;
  report.lost = follower_.lost();
  if (report.lost > 0) report.notes.push_back({model::NoteCode::starts_lost, {double(report.lost)}});
  report.unit_bytes = setup_.knowledge.unit_bytes;
  report.pages = pages_.moves();
  report.recognized =
      Recognized{threads_.recognized(), threads_.unknown(), threads_.gone(), threads_.missed(),
                 pages_.in_place(),     pages_.elsewhere(), pages_.missed(), pages_.unknown_bytes()};
}

}  // namespace gable::kmaf::live
