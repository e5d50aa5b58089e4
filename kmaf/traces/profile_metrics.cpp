#include "kmaf/traces/profile_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace gable::kmaf {
namespace {

SharingMatrix both_ways(const SharingMatrix& shared) {
  SharingMatrix matrix = shared;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) matrix[i][j] = i == j ? 0 : shared[i][j] + shared[j][i];
  }
  return matrix;
}

std::uint64_t accesses_of(const model::Profile& profile) {
  double sum = 0;
  for (const model::ProfileAccesses& of : profile.accesses) {
    const bool is_stack = of.object >= 0 && profile.objects[of.object].kind == model::ObjectKind::stack;
    if (!is_stack) sum += of.loads + of.stores;
  }
  return static_cast<std::uint64_t>(sum);
}

// By node, of each page of a record.
std::vector<std::uint64_t> accesses_of_nodes(const model::ProfilePages& pages,
                                             const std::vector<int>& nodes) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(std::ranges::max(nodes)) + 1);
  for (const auto& [thread, reads, writes] : pages.users) {
    if (thread < static_cast<int>(nodes.size()))
      sums[static_cast<std::size_t>(nodes[static_cast<std::size_t>(thread)])] +=
          static_cast<std::uint64_t>(std::llround((reads + writes) / pages.pages));
  }
  return sums;
}

// The standard error of a mean that is weighted by accesses, of a sample of the pages.
double error_of_exclusivity(const model::Profile& profile, const std::vector<int>& nodes, double mean) {
  double squares = 0, weights = 0;
  for (const model::ProfilePages& pages : profile.pages) {
    double accesses = 0;
    const std::vector<std::uint64_t> of_nodes = accesses_of_nodes(pages, nodes);
    for (const std::uint64_t of_node : of_nodes) accesses += static_cast<double>(of_node);
    squares += pages.pages * std::pow(accesses * (page_exclusivity(of_nodes) - mean), 2);
    weights += pages.pages * accesses;
  }
  return weights > 0 ? std::sqrt((1 - profile.pages_followed) * squares) / weights : 0;
}

void set_pages(const model::Profile& profile, const std::vector<int>& nodes, AffinityFigures& figures) {
  constexpr int pages_of_huge = 512;
  const int count = std::ranges::max(nodes) + 1;
  PageUse small(12, count), large(21, count);
  for (const model::ProfilePages& pages : profile.pages) {
    const std::vector<std::uint64_t> of_nodes = accesses_of_nodes(pages, nodes);
    for (int node = 0; node < count; ++node) {
      const std::uint64_t accesses = of_nodes[static_cast<std::size_t>(node)];
      if (accesses == 0) continue;
      for (int i = 0; i < pages.pages; ++i) {
        const std::uint64_t page = pages.first + static_cast<std::uint64_t>(i);
        small.add(page, node, accesses);
        large.add(page / pages_of_huge, node, accesses);
      }
    }
  }
  figures.small = small.figures();
  figures.large = large.figures();
  for (PageGroup& group : figures.small.groups)
    group.pages =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(group.pages) / profile.pages_followed));
  figures.exclusivity_error = error_of_exclusivity(profile, nodes, figures.small.exclusivity);
}

}  // namespace

AffinityFigures figures_of(const model::Profile& profile, const std::vector<int>& thread_nodes) {
  if (profile.processes > 1)
    throw Error::usage("it is the profile of several processes, whose threads and pages are not told apart");
  if (profile.pages.empty() || profile.shared.empty())
    throw Error::usage(
        "it does not tell which threads use which pages: profiles of more than 64 threads, and large ones "
        "that "
        "`gable point run` keeps, do not");
  AffinityFigures figures;
  figures.threads = static_cast<int>(profile.shared.size());
  figures.accesses = accesses_of(profile);
  figures.matrix = both_ways(profile.shared);
  if (profile.lines_followed < 1) figures.matrix_error = 1 / std::sqrt(std::max(1.0, profile.shared_lines));
  if (!thread_nodes.empty()) set_pages(profile, thread_nodes, figures);
  return figures;
}

}  // namespace gable::kmaf
