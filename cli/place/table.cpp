#include "cli/place/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/words.hpp"
#include "cli/fit/figure_text.hpp"
#include "cli/place/ways.hpp"
#include "cli/text/columns.hpp"
#include "cli/text/reason.hpp"
#include "model/json/case.hpp"
#include "model/roofs/interval.hpp"
#include "model/tiers/advice.hpp"

namespace gable::cli {
namespace {

using model::Placed;
using model::Status;

constexpr double million = 1e6;

std::string heading(const Placed& placed) {
  return fmt::format("{} on {} ({} vertices, {} edges), cluster {}, {}{}", placed.workload, placed.graph,
                     placed.vertices, placed.edges, placed.cluster, count_text(placed.threads, "thread"),
                     placed.smt ? ", one per hardware thread" : "");
}

std::string figure(const Placed& placed, double first) {
  if (placed.status != Status::ok) return model::name_of(placed.status);
  const model::Estimate mteps = model::teps(placed);
  const std::string interval = interval_text(mteps.value / million, mteps.lo / million, mteps.hi / million);
  std::string text = number(mteps.value / million);
  if (mteps.n < 2 && placed.source.empty()) {
    text += " ±?";
  } else if (!interval.empty()) {
    text += interval.ends_with('%') ? " ±" + interval : " (" + interval + ")";
  }
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
  std::vector<std::pair<char, std::string>> sorted;
  for (const auto& [tier, letter] : letters) sorted.emplace_back(letter, tier);
  std::ranges::sort(sorted);
  for (const auto& [letter, tier] : sorted)
    tiers += fmt::format("{}{} = {}{}", tiers.empty() ? "" : "; ", letter, tier,
                         how[tier].empty() ? "" : " (" + how[tier] + ")");
  return folded(fmt::format("  Letters: {}. {}.", parts, tiers), 4);
}

// Missing figures: each reason and note once, with the range of its numbers.
std::string reasons(const std::vector<Placed>& placed) {
  std::map<std::string, std::pair<Reason, int>> counted;
  const auto count = [&](const std::string& why) {
    auto& [reason, number] = counted[Reason::pattern(why)];
    reason.add(why);
    ++number;
  };
  for (const Placed& each : placed) {
    if (each.status != Status::ok) count(fmt::format("{}: {}", model::name_of(each.status), each.reason));
    for (const std::string& note : each.notes) count("note: " + note);
  }
  std::string text;
  for (const auto& [unused, why] : counted)
    text += folded(fmt::format("  {} ({} of {})", why.first.text(), why.second, placed.size()), 4);
  return text;
}

// The tables of published figures.
std::string sources(const std::vector<Placed>& placed) {
  std::vector<std::string> found;
  for (const Placed& each : placed) {
    if (!each.source.empty() && std::ranges::find(found, each.source) == found.end())
      found.push_back(each.source);
  }
  if (found.empty()) return "";
  return folded(fmt::format("  Published: {}.", fmt::join(found, "; ")), 4);
}

// A team that could not run at all gets no table.
bool all_skipped_alike(const std::vector<Placed>& placed) {
  return std::ranges::all_of(placed, [&](const Placed& each) {
    return each.status == Status::skipped && each.reason == placed.front().reason;
  });
}

std::string one_table(const std::vector<Placed>& placed) {
  if (all_skipped_alike(placed))
    return folded(heading(placed.front()), 2) + folded("  skipped: " + placed.front().reason, 4);
  const auto letters = model::tier_letters(placed);
  std::string text = folded(heading(placed.front()), 2) + figures(placed, letters) + legend(placed, letters) +
                     sources(placed) + reasons(placed) + ways_table(placed);
  const std::vector<model::PartMove> moves = model::moves(placed);
  for (const model::PartMove& move : moves) text += folded("  " + model::sentence(move), 4);
  return text;
}

// The median of an ok record; otherwise 0.
double median_of(const Placed* placed) {
  return placed != nullptr && placed->status == Status::ok ? model::teps(*placed).value : 0;
}

// Tables 3.5 and 3.6: the teams of threads that could run, for each placement.
std::string teams_table(const std::vector<Placed>& all) {
  const auto letters = model::tier_letters(all);
  const auto row_of = [&](const Placed& each) {
    return model::placement_code(each, letters) + " " + each.variant;
  };
  std::vector<Placed> placed;
  std::ranges::copy_if(all, std::back_inserter(placed),
                       [](const Placed& each) { return each.status != Status::skipped; });
  std::ranges::stable_sort(placed, {},
                           [&](const Placed& each) { return model::placement_code(each, letters); });
  std::vector<std::string> rows;
  std::vector<std::pair<bool, int>> teams;  // one per core first
  std::map<std::pair<std::string, std::pair<bool, int>>, const Placed*> at;
  for (const Placed& each : placed) {
    if (std::ranges::find(rows, row_of(each)) == rows.end()) rows.push_back(row_of(each));
    teams.emplace_back(each.smt, each.threads);
    at[{row_of(each), teams.back()}] = &each;
  }
  std::ranges::sort(teams);
  teams.erase(std::unique(teams.begin(), teams.end()), teams.end());
  if (teams.size() < 2) return "";
  std::vector<Cells> lines = {{"MTEPS by threads"}};
  const auto name = [](const auto& team) {
    return fmt::format("{}{}", team.second, team.first ? " SMT" : "");
  };
  for (const auto& team : teams)
    lines[0].push_back(team == teams[0] ? name(team) : name(team) + "  /" + name(teams[0]));
  for (const std::string& row : rows) {
    lines.push_back({row});
    const double base = median_of(at[{row, teams[0]}]);
    for (const auto& team : teams) {
      const Placed* each = at[{row, team}];
      lines.back().push_back(each == nullptr ? "" : figure(*each, team == teams[0] ? 0 : base));
    }
  }
  const std::string title =
      fmt::format("{} on {}, cluster {}: by number of threads{}", placed.front().workload,
                  placed.front().graph, placed.front().cluster,
                  teams.back().first ? " (SMT: one per hardware thread, otherwise one per core)" : "");
  return "\n" + folded(title, 2) + aligned(lines, 1, false);
}

// Groups records by `name`, in the order of first occurrence.
template <class Name>
std::vector<std::vector<Placed>> groups(const std::vector<Placed>& placed, const Name& name) {
  std::vector<std::pair<std::string, std::vector<Placed>>> found;
  for (const Placed& each : placed) {
    auto group = std::ranges::find(found, name(each), &std::pair<std::string, std::vector<Placed>>::first);
    if (group == found.end()) group = found.insert(found.end(), {name(each), {}});
    group->second.push_back(each);
  }
  std::vector<std::vector<Placed>> lists;
  for (auto& [unused, group] : found) lists.push_back(std::move(group));
  return lists;
}

}  // namespace

std::string place_table(const std::vector<Placed>& placed) {
  std::string text;
  for (const auto& group : groups(placed, heading)) text += (text.empty() ? "" : "\n") + one_table(group);
  const auto subject = [](const Placed& each) {
    return fmt::format("{} {} {}", each.workload, each.graph, each.cluster);
  };
  for (const auto& group : groups(placed, subject)) text += teams_table(group);
  if (text.find("±") != std::string::npos) text += "\n" + folded(fmt::format("{}.", model::interval_rule));
  return text;
}

}  // namespace gable::cli
