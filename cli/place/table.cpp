#include "cli/place/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
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

// A run alone does not tell its interval.
bool is_single(const Placed& placed, const model::Estimate& teps) {
  return teps.n < 2 && placed.source.empty();
}

Cell figure(const Placed& placed, double first) {
  if (placed.status != Status::ok) return model::name_of(placed.status);
  const model::Estimate mteps = model::teps(placed);
  Cell cell = is_single(placed, mteps)
                  ? Cell(number(mteps.value / million), "±?")
                  : with_interval(mteps.value / million, mteps.lo / million, mteps.hi / million);
  if (first > 0)
    cell.interval += fmt::format("{} {:.2f}", cell.interval.empty() ? "" : " ", mteps.value / first);
  return cell;
}

// Rows of figures by columns; those behind the first one are also compared with it. `at`: the figure of a row
// and a column, nullptr where there is none.
template <typename Key, typename At>
void add_compared_rows(Table& table, const std::vector<std::string>& rows, const std::vector<Key>& keys,
                       const At& at) {
  for (const std::string& row : rows) {
    table.rows.push_back({row});
    const Placed* const first = at(row, keys.front());
    const double base = first != nullptr && first->status == Status::ok ? model::teps(*first).value : 0;
    for (const Key& key : keys) {
      const Placed* const each = at(row, key);
      table.rows.back().push_back(each == nullptr ? Cell() : figure(*each, key == keys.front() ? 0 : base));
    }
  }
}

// Variants as rows, placements as columns.
std::string figures(const std::vector<Placed>& placed, const std::map<std::string, char>& letters) {
  std::vector<std::string> codes, variants;
  std::map<std::pair<std::string, std::string>, const Placed*> at;
  for (const Placed& each : placed) {
    const std::string code = model::placement_code(each, letters);
    add_once(codes, code);
    add_once(variants, each.variant);
    at[{each.variant, code}] = &each;
  }
  Table table{"", columns({"MTEPS"})};
  for (const std::string& code : codes) table.add_column(code == codes[0] ? code : code + "  /" + codes[0]);
  add_compared_rows(table, variants, codes, [&](const std::string& variant, const std::string& code) {
    return at[{variant, code}];
  });
  return table_text(table, false);
}

std::string legend(const std::vector<Placed>& placed, const std::map<std::string, char>& letters) {
  std::map<std::string, std::string> how;
  for (const Placed& each : placed) {
    for (const model::PlacedPart& part : each.parts) how[part.tier] = part.how;
  }
  std::vector<std::pair<char, std::string>> sorted;
  for (const auto& [tier, letter] : letters) sorted.emplace_back(letter, tier);
  std::ranges::sort(sorted);
  const auto meaning = [&](const auto& each) {
    const auto& [letter, tier] = each;
    return fmt::format("{} = {}{}", letter, tier, how[tier].empty() ? "" : " (" + how[tier] + ")");
  };
  return folded(fmt::format("  Letters: {}. {}.", joined(placed.front().parts, &model::PlacedPart::name),
                            joined(sorted, meaning, "; ")),
                4);
}

// Missing figures: each reason and note once, with the range of its numbers.
std::string reasons(const std::vector<Placed>& placed) {
  model::NotesByKind counted;
  for (const Placed& each : placed) {
    if (each.status != Status::ok) add_alike(counted, model::name_of(each.status), each.reason);
    for (const model::Note& note : each.notes) add_alike(counted, "note", note);
  }
  std::string text;
  for (const auto& [kind, why] : counted)
    text += folded(fmt::format("  {}: {} ({} of {})", kind.first, why.text(), why.count(), placed.size()), 4);
  return text;
}

// The tables of published figures.
std::string sources(const std::vector<Placed>& placed) {
  std::vector<std::string> found;
  for (const Placed& each : placed) {
    if (!each.source.empty()) add_once(found, each.source);
  }
  if (found.empty()) return "";
  return folded(fmt::format("  Published: {}.", fmt::join(found, "; ")), 4);
}

// The first placement with a figure, for every variant with a figure there.
std::vector<Placed> first_placement(const std::vector<Placed>& placed) {
  const auto where = [](const Placed& each) { return each_of(each.parts, &model::PlacedPart::tier); };
  std::vector<Placed> found;
  for (const Placed& each : placed) {
    if (each.status != Status::ok || each.ways.empty()) continue;
    if (found.empty() || where(each) == where(found.front())) found.push_back(each);
  }
  return found;
}

// Ways as rows, variants as columns: million edges per second of a short run in the first placement, with a
// star at the selected way; PageRank's vectors of ranks and of neighbours. Records of one workload, graph
// and team; empty without a choice.
std::string ways_table(const std::vector<Placed>& placed) {
  const std::vector<Placed> variants = first_placement(placed);
  if (variants.empty()) return "";
  Table table{"", columns({"MTEPS of a short run"})};
  std::vector<std::string> ways;
  for (const Placed& variant : variants) {
    table.add_column(variant.variant);
    for (const auto& [way, unused] : variant.ways) add_once(ways, way);
  }
  if (ways.size() < 2) return "";
  for (const std::string& way : ways) {
    table.rows.push_back({way});
    for (const Placed& variant : variants) {
      const auto found = variant.ways.find(way);
      table.rows.back().emplace_back(
          found == variant.ways.end() ? "" : number(found->second / 1e6) + (way == variant.how ? "*" : " "));
    }
  }
  const std::string where =
      joined(variants.front().parts, [](const auto& part) { return part.name + " in " + part.tier; });
  return folded(fmt::format("  Ways to run it, {} (*: the one used)", where), 4) + table_text(table, false);
}

// A team that could not run at all gets no table.
bool all_skipped_alike(const std::vector<Placed>& placed) {
  return std::ranges::all_of(placed, [&](const Placed& each) {
    return each.status == Status::skipped && each.reason == placed.front().reason;
  });
}

std::string one_table(const std::vector<Placed>& placed) {
  if (all_skipped_alike(placed))
    return folded(heading(placed.front()), 2) + folded("  skipped: " + sentence(placed.front().reason), 4);
  const auto letters = model::tier_letters(placed);
  std::string text = folded(heading(placed.front()), 2) + figures(placed, letters) + legend(placed, letters) +
                     sources(placed) + reasons(placed) + ways_table(placed);
  const std::vector<model::PartMove> moves = model::moves(placed);
  for (const model::PartMove& move : moves) text += folded("  " + model::sentence(move), 4);
  return text;
}

// Tables 3.5 and 3.6: the teams of threads that could run, for each placement.
std::string teams_table(const std::vector<Placed>& all) {
  const auto letters = model::tier_letters(all);
  const auto row_of = [&](const Placed& each) {
    return model::placement_code(each, letters) + " " + each.variant;
  };
  auto placed = those(all, [](const Placed& each) { return each.status != Status::skipped; });
  sort_by(placed, [&](const Placed& each) { return model::placement_code(each, letters); });
  std::vector<std::string> rows;
  std::vector<std::pair<bool, int>> teams;  // one per core first
  std::map<std::pair<std::string, std::pair<bool, int>>, const Placed*> at;
  for (const Placed& each : placed) {
    add_once(rows, row_of(each));
    teams.emplace_back(each.smt, each.threads);
    at[{row_of(each), teams.back()}] = &each;
  }
  std::ranges::sort(teams);
  teams.erase(std::unique(teams.begin(), teams.end()), teams.end());
  if (teams.size() < 2) return "";
  Table table{"", columns({"MTEPS by threads"})};
  const auto name = [](const auto& team) {
    return fmt::format("{}{}", team.second, team.first ? " SMT" : "");
  };
  for (const auto& team : teams)
    table.add_column(team == teams[0] ? name(team) : name(team) + "  /" + name(teams[0]));
  add_compared_rows(table, rows, teams, [&](const std::string& row, const auto& team) {
    return at[{row, team}];
  });
  table.title =
      fmt::format("{} on {}, cluster {}: by number of threads{}", placed.front().workload,
                  placed.front().graph, placed.front().cluster,
                  teams.back().first ? " (SMT: one per hardware thread, otherwise one per core)" : "");
  return "\n" + table_text(table, false);
}

// Groups records by `name`, in the order of first occurrence.
template <class Name>
std::vector<std::vector<Placed>> groups(const std::vector<Placed>& placed, const Name& name) {
  std::vector<std::pair<std::string, std::vector<Placed>>> found;
  for (const Placed& each : placed) value_for(found, name(each)).push_back(each);
  std::vector<std::vector<Placed>> lists;
  for (auto& [unused, group] : found) lists.push_back(std::move(group));
  return lists;
}

}  // namespace

std::string place_table(const std::vector<Placed>& placed) {
  std::string text = joined(groups(placed, heading), one_table, "\n");
  const auto subject = [](const Placed& each) {
    return fmt::format("{} {} {}", each.workload, each.graph, each.cluster);
  };
  for (const auto& group : groups(placed, subject)) text += teams_table(group);
  const auto needs_rule = [](const Placed& each) {
    if (each.status != Status::ok) return false;
    const model::Estimate teps = model::teps(each);
    return is_single(each, teps) || has_plus_minus(teps.value, teps.lo, teps.hi);
  };
  if (std::ranges::any_of(placed, needs_rule))
    text += "\n" + folded(fmt::format("{}.", model::interval_rule));
  return text;
}

}  // namespace gable::cli
