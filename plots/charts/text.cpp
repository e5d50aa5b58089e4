#include "plots/charts/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/roofs/interval.hpp"

namespace gable::charts {

std::string three_digits(double value) {
  if (value <= 0) return "0";
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 6));
}

bool has_all_nodes(const std::vector<int>& nodes) {
  return nodes.empty() || std::ranges::min(nodes) < 0;
}

bool has_wide_interval(const model::Roof& roof) {
  return roof.lo < roof.hi && (roof.lo <= 0 || model::is_wide_interval(roof.value, roof.lo, roof.hi));
}

std::string interval_text(const model::Roof& roof) {
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

}  // namespace gable::charts
