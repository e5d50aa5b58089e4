#include "kmaf/traces/metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace gable::kmaf {

namespace {

constexpr int lines_a_page = 64;

int node_count(const std::vector<int>& thread_nodes) {
  return thread_nodes.empty() ? 0 : *std::ranges::max_element(thread_nodes) + 1;
}

}  // namespace

double heterogeneity(const SharingMatrix& matrix) {
  const auto threads = static_cast<double>(matrix.size());
  double sum = 0;
  for (const auto& row : matrix) {
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / threads;
    for (const double cell : row) sum += (mean - cell) * (mean - cell);
  }
  return matrix.empty() ? 0 : sum / (threads * threads);
}

double sharing_amount(const SharingMatrix& matrix) {
  const auto threads = static_cast<double>(matrix.size());
  double sum = 0;
  for (const auto& row : matrix) sum = std::accumulate(row.begin(), row.end(), sum);
  return matrix.empty() ? 0 : sum / (threads * threads);
}

double page_exclusivity(const std::vector<std::uint64_t>& accesses_of_node) {
  if (accesses_of_node.empty()) return 0;
  const auto sum = std::accumulate(accesses_of_node.begin(), accesses_of_node.end(), std::uint64_t{0});
  const auto most = *std::ranges::max_element(accesses_of_node);
  return sum == 0 ? 0 : static_cast<double>(most) / static_cast<double>(sum);
}

void Sharing::access(int thread, std::uint64_t line) {
  const auto number = static_cast<std::size_t>(thread);
  if (number >= counts_.size()) counts_.resize(number + 1);
  const std::uint64_t page_number = line / lines_a_page;
  if (last_ == nullptr || page_number != last_number_) {
    last_ = &pages_[page_number];
    last_number_ = page_number;
  }
  Page& page = *last_;
  const std::size_t needed = number / 64 + 1;
  if (page.words < needed) {
    std::vector<std::uint64_t> wider(needed * lines_a_page);
    for (std::size_t i = 0; i < page.words * lines_a_page; ++i)
      wider[i / page.words * needed + i % page.words] = page.threads[i];
    page = {needed, std::move(wider)};
  }
  std::uint64_t* const words = &page.threads[line % lines_a_page * page.words];
  auto& counts = counts_[number];
  for (std::size_t word = 0; word < page.words; ++word) {
    std::uint64_t before = words[word];
    if (word == number / 64) before &= ~(std::uint64_t{1} << number % 64);
    for (; before != 0; before &= before - 1) {
      const std::size_t other = word * 64 + static_cast<std::size_t>(std::countr_zero(before));
      if (other >= counts.size()) counts.resize(counts_.size());
      ++counts[other];
    }
  }
  words[number / 64] |= std::uint64_t{1} << number % 64;
}

SharingMatrix Sharing::matrix(int threads) const {
  const auto size = static_cast<std::size_t>(threads);
  SharingMatrix matrix(size, std::vector<double>(size));
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (std::size_t j = 0; j < counts_[i].size(); ++j) {
      matrix[i][j] += static_cast<double>(counts_[i][j]);
      matrix[j][i] += static_cast<double>(counts_[i][j]);
    }
  }
  return matrix;
}

void PageUse::add(std::uint64_t page, int node, std::uint64_t accesses) {
  auto& of_nodes = accesses_[page];
  if (of_nodes.empty()) of_nodes.resize(static_cast<std::size_t>(nodes_));
  of_nodes[static_cast<std::size_t>(node)] += accesses;
}

void PageUse::access(int node, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t page = from >> shift_;; ++page) {
    add(page, node, 1);
    if (page == to >> shift_) return;
  }
}

PageFigures PageUse::figures() const {
  PageFigures figures;
  double weighted = 0, all = 0;
  for (const auto& [page, accesses] : accesses_) {
    const auto sum = std::accumulate(accesses.begin(), accesses.end(), std::uint64_t{0});
    const double exclusivity = page_exclusivity(accesses);
    PageGroup& group = figures.groups[static_cast<std::size_t>(std::lround(10 * exclusivity))];
    ++group.pages;
    group.accesses += sum;
    weighted += exclusivity * static_cast<double>(sum);
    all += static_cast<double>(sum);
  }
  figures.exclusivity = all == 0 ? 0 : weighted / all;
  return figures;
}

Metrics::Metrics(std::vector<int> thread_nodes)
    : nodes_(std::move(thread_nodes)), small_(12, node_count(nodes_)), large_(21, node_count(nodes_)) {}

void Metrics::add(const Access& access) {
  const int thread = numbers_.of(access.tid);
  if (access.event != Event::access) return;
  const std::uint64_t last = access.address + access.bytes - 1;
  for (std::uint64_t line = access.address >> Sharing::line_shift; line <= last >> Sharing::line_shift;
       ++line)
    sharing_.access(thread, line);
  ++accesses_;
  if (nodes_.empty() || thread >= static_cast<int>(nodes_.size())) return;
  const int node = nodes_[static_cast<std::size_t>(thread)];
  small_.access(node, access.address, last);
  large_.access(node, access.address, last);
}

}  // namespace gable::kmaf
