#include "bench/plan/grid_cells.hpp"

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "base/pages.hpp"
#include "bench/buffers/page_mix.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/plan/pairs.hpp"
#include "bench/plan/side_cache.hpp"

namespace gable::bench {

namespace {

using model::Case;

// The streams of an operation share its working set; the smallest stream of all has a ninth of it
// (least_on_nodes).
constexpr GridOperation operations[] = {
    {"load", 0},      {"store_nt", 0},  {"mix1_1_nt", 1}, {"mix2_1_nt", 2}, {"mix1_2_nt", 2},
    {"mix4_1_nt", 3}, {"mix1_4_nt", 3}, {"mix8_1_nt", 4}, {"mix3_1_nt", 4}, {"mix3_2_nt", 4},
    {"mix2_3_nt", 4}, {"mix1_3_nt", 4}, {"mix1_8_nt", 4},
};

// The applications with which the model is compared (LARM paper, section 6.5).
constexpr std::string_view applications[] = {"ddot", "scale_nt", "triad_nt"};

// Weights of Linux's weighted interleave. Shares of pages are at most 25, 17 and 11 % apart at successive
// levels, up to 8 to 1.
constexpr GridWeights weights[] = {{1, 3, 2}, {1, 2, 3}, {2, 3, 3}, {1, 5, 3}, {1, 4, 4}, {1, 8, 4}};

constexpr int first_priority = 4;
constexpr std::uint64_t huge = 2u << 20;  // larger pages than this are too few for a stream

model::Tiers tier_of(const Pair& pair) {
  model::Tiers tiers = pair.node.tier;
  tiers.add(*pair.other.tier.single());
  return tiers;
}

Share pages_share(int percent) {
  Share share;
  share.node_percent = percent;
  return share;
}

}  // namespace

std::vector<GridOperation> grid_operations(int most_level) {
  return those(operations, [&](const GridOperation& operation) { return operation.level <= most_level; });
}

std::vector<GridShare> grid_shares(int most_level) {
  std::vector<GridShare> shares = {{0, 0}, {100, 0}};
  for (int level = 1; level <= most_level; ++level) {
    const int parts = 1 << level;
    for (int part = 1; part < parts; part += 2) {
      const int percent = 2 * part > parts ? 100 - 100 * (parts - part) / parts : 100 * part / parts;
      shares.push_back({percent, level});
    }
  }
  return shares;
}

std::vector<GridWeights> grid_weights(int most_level) {
  std::vector<GridWeights> chosen;
  for (const auto& [node, other, level] : weights) {
    if (level > most_level) continue;
    chosen.push_back({node, other, level});
    chosen.push_back({other, node, level});
  }
  return chosen;
}

void GridCells::make() {
  const Preset& preset = *options_.preset;
  const std::vector<Pair> alone = pairs(machine_, preset.grid_pairs);
  if (alone.empty()) add_none(model::Pattern::hybrid, no_pair(machine_));
  for (const Pair& pair : alone) add_grid({pair}, preset.grid_level);
  if (preset.all_grid_level == 0) return;
  const std::vector<std::vector<Pair>> all = pairs_at_once(machine_, preset.grid_pairs);
  if (all.empty()) add_none(model::Pattern::hybrid_all, no_pairs_at_once(machine_));
  for (const std::vector<Pair>& at_once : all) add_grid(at_once, preset.all_grid_level);
}

void GridCells::add_none(model::Pattern pattern, const model::Note& reason) {
  Case spec = base(machine_.clusters.front(), model::Kind::bandwidth, model::Level::memory(), pattern);
  set_kernel(spec, "load");
  add_single(std::move(spec), reason, first_priority, 1, 0);
}

void GridCells::add_grid(const std::vector<Pair>& at_once, int level) {
  const bool is_alone = at_once.size() == 1;
  for (const model::Pages pages : grid_pages()) {
    for (const GridShare& share : grid_shares(level)) {
      const int priority = first_priority + share.level;  // all operations use the same pages
      for (const GridOperation& operation : grid_operations(level))
        add(at_once, pages, operation.op, pages_share(share.percent), priority);
      for (const std::string_view op : applications) {
        if (options_.preset->validation && is_alone)
          add(at_once, pages, op, pages_share(share.percent), priority);
      }
    }
    for (const auto& [node, other, its_level] : grid_weights(is_alone ? level : 0)) {
      Share share = pages_share(PageShare::weighted(node, other).percent);
      share.node_weight = node;
      share.other_weight = other;
      for (const GridOperation& operation : grid_operations(level))
        add(at_once, pages, operation.op, share, first_priority + 1 + its_level);
    }
  }
}

// Small pages interleave finely even in small streams, and are the default of interleaving.
std::vector<model::Pages> GridCells::grid_pages() const {
  std::vector<model::Pages> pages = pages_;
  std::ranges::stable_partition(pages, [](model::Pages each) { return each.bytes() <= small_page(); });
  if (!options_.preset->all_pages) pages.resize(1);
  return pages;
}

void GridCells::add(const std::vector<Pair>& at_once, model::Pages pages, std::string_view op,
                    const Share& share, int priority) {
  Run run;
  for (const Pair& pair : at_once) {
    Case spec = base(cluster(pair.cluster), model::Kind::bandwidth, model::Level::memory(),
                     at_once.size() == 1 ? model::Pattern::hybrid : model::Pattern::hybrid_all);
    run.skip = set_kernel(spec, op);
    spec.node = static_cast<int>(pair.node.os_index);
    spec.other_node = static_cast<int>(pair.other.os_index);
    spec.node_percent = share.node_percent;
    spec.node_weight = share.node_weight;
    spec.other_weight = share.other_weight;
    spec.tier = tier_of(pair);
    spec.pages = pages;
    Share& its = run.shares.emplace_back(share);
    its.cluster = pair.cluster;
    its.nodes = {pair.node.os_index, pair.other.os_index};
    // The same for all cells of a cluster.
    spec.bytes = std::max(memory_bytes(cluster(pair.cluster), spec.threads), least_on_nodes(its, pages));
    note_side_caches(machine_, its, spec, run.notes);
    run.cases.push_back(std::move(spec));
  }
  if (run.skip.empty()) run.skip = page_problem(pages);
  if (run.skip.empty() && pages.bytes() > huge)
    run.skip = {model::NoteCode::too_large_pages, {double(pages.bytes())}};
  if (run.skip.empty() && has_side_cache(machine_, run)) run.skip = model::NoteCode::grid_behind_side_cache;
  run.priority = priority;
  run.rounds = options_.preset->grid_rounds;
  run.visit_seconds = options_.preset->visit_seconds;
  push(std::move(run));
}

}  // namespace gable::bench
