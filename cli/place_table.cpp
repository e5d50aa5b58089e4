#include "cli/place_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/columns.hpp"
#include "model/advice.hpp"
#include "model/case_json.hpp"

namespace gable::cli {
namespace {

using model::Placed;
using model::Status;

constexpr double million = 1e6;

std::string title(const Placed& placed) {
  return fmt::format("{} on {} ({} vertices, {} edges), cluster {}, {} thread{}{}", placed.workload,
                     placed.graph, placed.vertices, placed.edges, placed.cluster, placed.threads,
                     placed.threads == 1 ? "" : "s", placed.smt ? ", one a hardware thread" : "");
}

std::string figure(const Placed& placed, double first) {
  if (placed.status != Status::ok) return model::name_of(placed.status);
  const model::Estimate mteps = model::teps(placed);
  const double half = std::max(mteps.hi - mteps.value, mteps.value - mteps.lo);
  const double percent = 100 * half / mteps.value;
  std::string text = number(mteps.value / million) + (mteps.n < 2     ? " +-?"
                                                      : percent > 999 ? " +->999 %"
                                                                      : fmt::format(" +-{:.1f} %", percent));
  if (first > 0) text += fmt::format("  {:.2f}", mteps.value / first);
  return text;
}

// Variants as rows, placements as columns.
std::string figures(const std::vector<Placed>& placed, const std::map<std::string, char>& letters) {
  std::vector<std::string> codes, variants;
  std::map<std::pair<std::string, std::string>, const Placed*> at;
  for (const Placed& each : placed) {
    const std::string code = model::placement_code(each, letters);
    if (std::ranges::find(codes, code) == codes.end()) codes.push_back(code);
    if (std::ranges::find(variants, each.variant) == variants.end()) variants.push_back(each.variant);
    at[{each.variant, code}] = &each;
  }
  std::vector<Cells> lines = {{"MTEPS"}};
  for (const std::string& code : codes) lines[0].push_back(code == codes[0] ? code : code + "  /" + codes[0]);
  for (const std::string& variant : variants) {
    lines.push_back({variant});
    const Placed* first = at[{variant, codes[0]}];
    const double base = first != nullptr && first->status == Status::ok ? model::teps(*first).value : 0;
    for (const std::string& code : codes) {
      const Placed* each = at[{variant, code}];
      lines.back().push_back(each == nullptr ? "" : figure(*each, each == first ? 0 : base));
    }
  }
  return aligned(lines, 1, false);
}

std::string legend(const std::vector<Placed>& placed, const std::map<std::string, char>& letters) {
  std::string parts, tiers;
  for (const model::PlacedPart& part : placed.front().parts) parts += (parts.empty() ? "" : ", ") + part.name;
  std::map<std::string, std::string> how;
  for (const Placed& each : placed) {
    for (const model::PlacedPart& part : each.parts) how[part.tier] = part.how;
  }
  for (const auto& [tier, letter] : letters)
    tiers += fmt::format("{}{} = {}{}", tiers.empty() ? "" : "; ", letter, tier,
                         how[tier].empty() ? "" : " (" + how[tier] + ")");
  return fmt::format("  Letters: {}. {}.\n", parts, tiers);
}

// What was not measured, and why: each reason once.
std::string reasons(const std::vector<Placed>& placed) {
  std::map<std::string, int> counted;
  for (const Placed& each : placed) {
    if (each.status != Status::ok) ++counted[fmt::format("{}: {}", model::name_of(each.status), each.reason)];
    for (const std::string& note : each.notes) ++counted["note: " + note];
  }
  std::string text;
  for (const auto& [reason, count] : counted)
    text += fmt::format("  {} ({} of {})\n", reason, count, placed.size());
  return text;
}

std::string one_table(const std::vector<Placed>& placed) {
  const auto letters = model::tier_letters(placed);
  std::string text =
      title(placed.front()) + "\n" + figures(placed, letters) + legend(placed, letters) + reasons(placed);
  const std::vector<model::Move> moves = model::moves(placed);
  for (const model::Move& move : moves) text += "  " + model::sentence(move) + "\n";
  return text;
}

}  // namespace

std::string place_table(const std::vector<Placed>& placed) {
  std::vector<std::pair<std::string, std::vector<Placed>>> groups;
  for (const Placed& each : placed) {
    auto group = std::ranges::find(groups, title(each), &std::pair<std::string, std::vector<Placed>>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {title(each), {}});
    group->second.push_back(each);
  }
  std::string text;
  for (const auto& [unused, group] : groups) text += (text.empty() ? "" : "\n") + one_table(group);
  return text;
}

}  // namespace gable::cli
