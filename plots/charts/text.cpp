#include "plots/charts/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/sorting.hpp"
#include "model/roofs/interval.hpp"

namespace gable::charts {

namespace {

using model::IntervalForm;

// A group of touching labels, which moves by the mean of its labels' wanted shifts.
struct Block {
  double sum = 0;
  std::size_t count = 0;
  double mean() const { return sum / static_cast<double>(count); }
};

}  // namespace

std::string three_digits(double value) {
  if (value <= 0) return "0";
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 6));
}

bool has_all_nodes(const std::vector<int>& nodes) {
  return nodes.empty() || std::ranges::min(nodes) < 0;
}

bool has_wide_interval(const model::Roof& roof) {
  const IntervalForm form = model::interval_form(roof);
  return form == IntervalForm::ends || form == IntervalForm::unknown || (roof.lo <= 0 && roof.lo < roof.hi);
}

std::string interval_text(const model::Roof& roof) {
  if (model::interval_form(roof) == IntervalForm::unknown) return " ±?";
  if (has_wide_interval(roof))
    return fmt::format(" ({} to {})", three_digits(roof.lo), three_digits(roof.hi));
  const auto percent = model::interval_percent(roof);
  return percent ? fmt::format(" ±{:.1f} %", *percent) : "";
}

std::string nodes_text(const std::vector<int>& nodes) {
  const std::string numbers = node_numbers(nodes);
  if (has_all_nodes(nodes)) return numbers + " nodes";
  return (nodes.size() == 1 ? "node " : "nodes ") + numbers;
}

std::string node_numbers(std::vector<int> nodes) {
  if (has_all_nodes(nodes)) return "all";
  std::sort(nodes.begin(), nodes.end());
  std::string text;
  for (std::size_t first = 0; first < nodes.size();) {
    std::size_t last = first;
    while (last + 1 < nodes.size() && nodes[last + 1] == nodes[last] + 1) ++last;
    if (last == first + 1) last = first;
    if (first > 0) text += ", ";
    text += last > first ? fmt::format("{}–{}", nodes[first], nodes[last]) : fmt::format("{}", nodes[first]);
    first = last + 1;
  }
  return text;
}

std::string shortened(const std::string& utf8, std::size_t most) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  std::vector<std::size_t> at;  // of each character
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    if (begins(utf8[i])) at.push_back(i);
  }
  if (at.size() <= most) return utf8;
  const std::size_t head = most / 2, tail = most - head - 1;
  return utf8.substr(0, at[head]) + "…" + utf8.substr(at[at.size() - tail]);
}

std::string list_text(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double lo, double hi) {
  if (wanted.empty()) return {};
  const double slack = hi - lo - gap * static_cast<double>(wanted.size() - 1);
  if (slack < 0) throw std::invalid_argument("more labels than there is room for");
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  sort_with(order, [&](auto a, auto b) { return wanted[a] < wanted[b]; });

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
  sort_with(order, [&](auto a, auto b) { return values[a].value > values[b].value; });
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
