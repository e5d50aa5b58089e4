#include "model/tiers/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/lists.hpp"
#include "base/words.hpp"

namespace gable::model {
namespace {

// The part that has another tier than in `base`, if it is exactly one.
const PlacedPart* moved_part(const Placed& placed, const Placed& base) {
  const PlacedPart* moved = nullptr;
  if (placed.parts.size() != base.parts.size()) return nullptr;
  for (std::size_t i = 0; i < placed.parts.size(); ++i) {
    if (placed.parts[i].tier == base.parts[i].tier) continue;
    if (moved != nullptr) return nullptr;
    moved = &placed.parts[i];
  }
  return moved;
}

// The placement of a variant with everything in the memory that is fastest by its kind; of equal kinds the
// first. The measured fastest would often be the one with the luckiest runs, beside which the others look
// slow.
const Placed* base_of(const std::vector<Placed>& placed, const std::string& variant) {
  const Placed* base = nullptr;
  for (const Placed& each : placed) {
    if (each.variant != variant || each.status != Status::ok || !in_one_tier(each)) continue;
    if (base == nullptr || row_of(each.parts[0].kind).slowness < row_of(base->parts[0].kind).slowness)
      base = &each;
  }
  return base;
}

std::set<int> nodes_of(const PlacedPart& part) {
  std::set<int> nodes;
  for (const auto& [node, bytes] : part.node_bytes) nodes.insert(node);
  return nodes;
}

// Whether the part lies on the same nodes in both, as a file in the page cache does.
bool is_same_memory(const PlacedPart& part, const Placed& base) {
  const auto before = std::ranges::find(base.parts, part.name, &PlacedPart::name);
  return before != base.parts.end() && !part.node_bytes.empty() && nodes_of(part) == nodes_of(*before);
}

struct Moved {
  const Placed* from = nullptr;
  const Placed* to = nullptr;
  const PlacedPart* part = nullptr;  // of `to`
};

std::vector<Moved> moved_of(const std::vector<Placed>& placed, const std::string& variant) {
  std::vector<Moved> all;
  const Placed* base = base_of(placed, variant);
  if (base == nullptr) return all;
  for (const Placed& each : placed) {
    if (each.variant != variant || each.status != Status::ok) continue;
    if (has(each.notes, NoteCode::mostly_of_cache)) continue;
    const PlacedPart* part = moved_part(each, *base);
    if (part != nullptr && !is_same_memory(*part, *base)) all.push_back({base, &each, part});
  }
  return all;
}

}  // namespace

Estimate teps(const Placed& placed) {
  if (!placed.source.empty())
    return {placed.published_teps, placed.published_teps, placed.published_teps, placed.published_runs};
  std::vector<double> rates;
  for (std::size_t i = 0; i < placed.seconds.size(); ++i)
    rates.push_back(placed.traversed[i] / placed.seconds[i]);
  return estimate_median(rates);
}

std::size_t runs_of(const Placed& placed) {
  return placed.source.empty() ? placed.seconds.size() : static_cast<std::size_t>(placed.published_runs);
}

std::map<std::string, char> tier_letters(const std::vector<Placed>& placed) {
  std::map<std::string, char> letters, in_order;
  std::set<char> used;
  bool shared = false;
  for (const Placed& each : placed) {
    for (const PlacedPart& part : each.parts) {
      if (!letters.try_emplace(part.tier, row_of(part.kind).letter).second) continue;
      shared = !used.insert(letters[part.tier]).second || shared;
      in_order[part.tier] = static_cast<char>('A' + std::min<std::size_t>(25, in_order.size()));
    }
  }
  return shared ? in_order : letters;
}

std::string placement_code(const Placed& placed, const std::map<std::string, char>& letters) {
  std::string code;
  for (const PlacedPart& part : placed.parts) code += letters.at(part.tier);
  return code;
}

std::vector<PartMove> moves(const std::vector<Placed>& placed) {
  std::vector<Moved> compared;
  for (const std::string& variant : distinct(placed, &Placed::variant)) {
    const std::vector<Moved> more = moved_of(placed, variant);
    compared.insert(compared.end(), more.begin(), more.end());
  }
  std::vector<PartMove> all;
  for (const auto& [base, each, part] : compared) {
    const Estimate before = teps(*base), after = teps(*each);
    const auto [lo, hi] = ratio_interval(before, after, compared.size());
    all.push_back({each->variant, part->name, base->parts[0].tier, part->tier, part->bytes,
                   before.value / after.value - 1, lo - 1, hi - 1,
                   each->source.empty() && std::min(before.n, after.n) < 2});
  }
  return all;
}

std::string sentence(const PartMove& move) {
  const std::string what =
      fmt::format("{}: the {} in {} instead of {} ", move.variant, move.part, move.to, move.from);
  const std::string frees =
      move.bytes == 0 ? "" : fmt::format(" and frees {} of {}", bytes_text(move.bytes), move.from);
  // "20 to 30 %"; a published figure has no interval.
  const auto range = [&](double lo, double hi, int decimals, const char* unit) {
    if (lo == hi) return std::string("no interval");
    return fmt::format("{:.{}f} to {:.{}f}{}", lo, decimals, hi, decimals, unit);
  };
  if (move.single_run)
    return what + fmt::format("takes {:.2f} times as long in a single run: use more --runs for advice.",
                              1 + move.slowdown);
  if (move.slowdown_hi < 0) {
    return what + fmt::format("is {:.0f} % faster ({}){}: move it.", -100 * move.slowdown,
                              range(-100 * move.slowdown_hi, -100 * move.slowdown_lo, 0, " %"), frees);
  }
  constexpr double told = 0.25;  // an interval up to here is narrow enough for advice
  if (move.slowdown_lo <= 0 && move.slowdown_hi > told) {
    return what + fmt::format(
                      "takes {:.2f} to {:.2f} times as long: too wide to give advice; use more --runs"
                      ".",
                      1 + move.slowdown_lo, 1 + move.slowdown_hi);
  }
  if (move.slowdown_lo <= 0) {
    return what +
           fmt::format("shows no cost in these runs (at most {:.0f} %){}: move it if you need the space.",
                       100 * move.slowdown_hi, frees);
  }
  const char* advice = move.slowdown_hi <= 0.1   ? "cheap; move it if space is short"
                       : move.slowdown_lo >= 0.5 ? "keep it where it is"
                                                 : "weigh the slowdown against the space";
  if (move.slowdown >= 1) {
    return what + fmt::format("takes {:.1f} times as long ({}){}: {}.", 1 + move.slowdown,
                              range(1 + move.slowdown_lo, 1 + move.slowdown_hi, 1, ""), frees, advice);
  }
  return what + fmt::format("takes {:.0f} % longer ({}){}: {}.", 100 * move.slowdown,
                            range(100 * move.slowdown_lo, 100 * move.slowdown_hi, 0, " %"), frees, advice);
}

}  // namespace gable::model
