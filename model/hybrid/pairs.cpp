#include "model/hybrid/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "model/hybrid/everywhere.hpp"
#include "model/records/question.hpp"
#include "model/roofs/roofs.hpp"

namespace gable::model {
namespace {

// Tolerance of the requested share: a stream of few whole pages can differ by this much.
constexpr double farthest_share = 0.07;

// A pair with as many cells or fewer is judged by the one that it is like (bench/schedule/likeness.hpp).
constexpr std::size_t most_spots = 5;

// The result of a Case, and where its data was.
struct Measured {
  Roof roof;
  double bytes = 0;       ///< of a pass of all threads
  double node_share = 0;  ///< of them, those on the Case's `node`
  double load_share = 0;
};

auto pair_of(const Case& spec) {
  return std::tuple(spec.cluster, spec.pattern, spec.node, spec.other_node, spec.pages, spec.threads);
}

// Where the pages of the Case's valid Samples were. The first Sample stands for all, as all have the same
// layout.
std::optional<std::map<int, std::uint64_t>> pages_of(const std::vector<const Sample*>& visits) {
  for (const Sample* visit : visits) {
    if (visit->status == Status::ok) return visit->node_bytes;
  }
  return std::nullopt;
}

Measured measured(Roof roof, std::map<int, std::uint64_t> node_bytes) {
  Measured out{.roof = std::move(roof)};
  const Case& spec = out.roof.spec;
  const auto spoil = [&](Note reason) {
    out.roof.value = out.roof.lo = out.roof.hi = 0;  // as in every roof that is not ok
    out.roof.n = 0;
    out.roof.status = Status::invalid;
    out.roof.reason = std::move(reason);
    return out;
  };
  const auto loads = load_share_of(spec.op);
  if (!loads) return spoil({NoteCode::load_share_unknown, {spec.op.name()}});
  out.load_share = *loads;
  for (const auto& [node, bytes] : node_bytes) out.bytes += static_cast<double>(bytes);
  if (out.bytes > 0) out.node_share = static_cast<double>(node_bytes[spec.node]) / out.bytes;
  const auto both = static_cast<double>(node_bytes[spec.node] + node_bytes[spec.other_node]);
  if (out.bytes == 0 || both < out.bytes ||
      std::abs(out.node_share - spec.node_percent / 100.0) > farthest_share) {
    return spoil(
        {NoteCode::other_node_share, {100 * out.node_share, double(spec.node), double(spec.node_percent)}});
  }
  return out;
}

Cell cell_of(const Measured& it, bool node_is_fast) {
  const double fast = node_is_fast ? it.node_share : 1 - it.node_share;
  Cell cell;
  cell.bytes[Transfer::ls] = it.bytes * it.load_share * (1 - fast);
  cell.bytes[Transfer::ss] = it.bytes * (1 - it.load_share) * (1 - fast);
  cell.bytes[Transfer::lf] = it.bytes * it.load_share * fast;
  cell.bytes[Transfer::sf] = it.bytes * (1 - it.load_share) * fast;
  const Roof& roof = it.roof;
  cell.seconds = {it.bytes / roof.value / 1e9, it.bytes / roof.hi / 1e9, it.bytes / roof.lo / 1e9, roof.n};
  return cell;
}

double pure_load(const std::vector<Measured>& cells, int percent) {
  double best = 0;
  for (const Measured& it : cells) {
    const Case& spec = it.roof.spec;
    if (spec.op == operations::load && spec.node_percent == percent && spec.node_weight == 0)
      best = std::max(best, it.roof.value);
  }
  return best;
}

// The best of several ISAs for the same operation and share.
std::vector<Measured> best_cells(std::vector<Measured> cells) {
  std::map<std::tuple<Operation, int, int>, std::size_t> place;
  std::vector<Measured> best;
  for (Measured& it : cells) {
    const auto [found, is_new] = place.try_emplace(
        {it.roof.spec.op, it.roof.spec.node_percent, it.roof.spec.node_weight}, best.size());
    if (is_new) {
      best.push_back(std::move(it));
    } else if (is_better(it.roof, best[found->second].roof)) {
      best[found->second] = std::move(it);
    }
  }
  return best;
}

// What the pair is like, as the notes of its spot cells say; empty if it was measured for itself.
std::string like_of(const std::vector<const Sample*>& visits) {
  for (const Sample* visit : visits) {
    for (const Note& note : visit->notes) {
      if (note.code == NoteCode::spot_of) return std::get<std::string>(note.arguments.at(0));
    }
  }
  return {};
}

HybridPair fit_pair(const Case& spec, const std::vector<Measured>& all) {
  const std::vector<Measured> cells = best_cells(all);
  const std::vector<Tier> tiers = spec.tier.all();  // of the node, and of the other one if it differs
  const MemoryNode node = {spec.node, tiers.empty() ? Tiers() : tiers.front()};
  const MemoryNode other = {spec.other_node, tiers.empty() ? Tiers() : tiers.back()};
  const double node_load = pure_load(cells, 100), other_load = pure_load(cells, 0);
  const bool node_is_fast = node_load >= other_load;
  HybridPair pair;
  pair.cluster = spec.cluster;
  pair.all_clusters = busy_everywhere(spec.pattern);
  pair.slow = node_is_fast ? other : node;
  pair.fast = node_is_fast ? node : other;
  pair.pages = spec.pages;
  pair.threads = spec.threads;
  if (node_load == 0 || other_load == 0) {
    pair.status = Status::invalid;
    pair.reason = {NoteCode::faster_unknown, {double(node_load == 0 ? spec.node : spec.other_node)}};
    return pair;
  }
  for (const Measured& it : cells) {
    const auto& [weight, other_weight] = std::pair(it.roof.spec.node_weight, it.roof.spec.other_weight);
    if (weight > 0) {
      pair.interleaved.push_back({node_is_fast ? other_weight : weight, node_is_fast ? weight : other_weight,
                                  cell_of(it, node_is_fast)});
    } else if (!is_pure_traffic(it.roof.spec.op)) {
      pair.applications.push_back({it.roof.spec.op, cell_of(it, node_is_fast)});
    } else {
      pair.cells.push_back(cell_of(it, node_is_fast));
    }
  }
  pair.fit = fit_hybrid(pair.cells);
  return pair;
}

// What a spot check with all clusters says of the estimate that it checks.
Note reason_of_spots(const Hybrid& hybrid, const HybridPair& spots) {
  const HybridPair* const alone = alone_of(hybrid, spots);
  if (alone == nullptr) return NoteCode::spot_check_alone;
  const SpotCheck check = spot_check(*alone, spots);
  if (check.cells == 0) return NoteCode::spot_check_unpredicted;
  return {NoteCode::spot_check, {check.text()}};
}

}  // namespace

Hybrid fit_pairs(const std::vector<Sample>& samples) {
  std::map<std::string, std::vector<const Sample*>> visits;
  for (const Sample& sample : samples) {
    if (is_grid(sample.spec.pattern)) visits[key(sample.spec)].push_back(&sample);
  }
  Hybrid out;
  if (visits.empty()) return out;
  using Identity = decltype(pair_of(Case{}));
  std::vector<Case> order;
  std::map<Identity, std::vector<Measured>> pairs;
  for (Roof& roof : fit_roofs(samples, [](const Case& spec) { return is_grid(spec.pattern); })) {
    const Case spec = roof.spec;
    if (roof.status == Status::ok && roof.other_state) {
      roof.status = Status::invalid;
      roof.reason = *std::ranges::find(roof.remarks, NoteCode::other_state, &Note::code);
      out.missing.push_back(std::move(roof));
      continue;
    }
    if (const auto pages = pages_of(visits.at(key(spec)))) {
      Measured it = measured(std::move(roof), *pages);
      if (it.roof.status == Status::ok) {
        const auto [found, is_new] = pairs.try_emplace(pair_of(spec));
        if (is_new) order.push_back(spec);
        found->second.push_back(std::move(it));
        continue;
      }
      roof = std::move(it.roof);
    }
    out.missing.push_back(std::move(roof));
  }
  for (const Case& first : order) {
    const std::vector<Measured>& cells = pairs.at(pair_of(first));
    HybridPair pair = fit_pair(first, cells);
    const std::string like = cells.size() <= most_spots ? like_of(visits.at(key(first))) : "";
    if (!like.empty() && pair.status == Status::ok) {
      pair.status = Status::skipped;
      pair.reason = {NoteCode::like_spot_cells, {like, double(cells.size())}};
    }
    out.pairs.push_back(std::move(pair));
  }
  for (HybridPair& pair : out.pairs) {
    if (pair.status != Status::ok || !is_spot_check(pair)) continue;
    pair.reason = reason_of_spots(out, pair);
    pair.status = Status::skipped;
  }
  return out;
}

}  // namespace gable::model
