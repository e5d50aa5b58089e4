#include "plots/charts/labels.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace gable::charts {

namespace {

// A group of touching labels, which moves by the mean of its labels' wanted shifts.
struct Block {
  double sum = 0;
  std::size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi) {
  if (wanted.empty()) return {};
  const double slack = hi - lo - gap * static_cast<double>(wanted.size() - 1);
  if (slack < 0) throw std::invalid_argument("more labels than there is room for");
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });

  // After subtracting i * gap, "at least gap apart" becomes "not descending": isotonic regression by pooling.
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    blocks.push_back({wanted[order[i]] - gap * static_cast<double>(i), 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }

  std::vector<double> placed(wanted.size());
  std::size_t i = 0;
  for (const Block& block : blocks) {
    const double position = std::clamp(block.mean(), lo, lo + slack);
    for (std::size_t k = 0; k < block.count; ++k, ++i) {
      placed[order[i]] = position + gap * static_cast<double>(i);
    }
  }
  return placed;
}

std::vector<std::vector<std::size_t>> group(const std::vector<Labelled>& values, double tolerance) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return values[a].value > values[b].value; });
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t index : order) {
    const auto joins = [&](const std::vector<std::size_t>& members) {
      const Labelled& first = values[members.front()];
      return first.key == values[index].key && values[index].value >= first.value * (1 - tolerance);
    };
    const auto found = std::find_if(groups.begin(), groups.end(), joins);
    if (found == groups.end()) {
      groups.push_back({index});
    } else {
      found->push_back(index);
    }
  }
  return groups;
}

std::vector<std::vector<std::size_t>> group_at_most(const std::vector<Labelled>& values, std::size_t most) {
  for (const double tolerance : {0.02, 0.05, 0.1, 0.2, 0.5}) {
    auto groups = group(values, tolerance);
    if (groups.size() <= most) return groups;
  }
  return group(values, 1);
}

}  // namespace gable::charts
