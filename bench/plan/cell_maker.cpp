#include "bench/plan/cell_maker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "bench/plan/cells.hpp"
#include "bench/plan/filter.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/plan/side_cache.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

using machines::Cluster;
using model::Case;

CellMaker::CellMaker(const machines::Machine& machine, const machines::Host& host, const Options& options)
    : machine_(machine), host_(host), options_(options), pages_(page_sizes(options)) {}

std::vector<Run> CellMaker::take() {
  return std::move(runs_);
}

Case CellMaker::base(const Cluster& cluster, model::Kind kind, model::Level level,
                     model::Pattern pattern) const {
  Case spec;
  spec.kind = kind;
  spec.cluster = cluster.index;
  spec.level = std::move(level);
  spec.pattern = pattern;
  spec.smt = options_.smt;
  spec.threads = static_cast<int>(pus_of(cluster, options_.threads, options_.smt).size());
  return spec;
}

std::vector<std::string> CellMaker::isas_to_try() const {
  if (!options_.isa.empty()) return {options_.isa};
  const auto isas = kernels::isas();
  if (isas.back() == "avx512") return {"avx512", "avx2"};
  if (isas.back() == "sve") return {"sve", "neon"};  // vectors may be no longer
  return {isas.back()};
}

std::vector<std::string> CellMaker::variants_to_try(std::string_view op, bool model::Variant::*place) {
  std::vector<std::string> all = {std::string(op)};
  for (const model::Variant& variant : model::variants) {
    std::string name = fmt::format("{}{}", op, variant.suffix);
    if (variant.*place && kernels::exists(name)) all.push_back(std::move(name));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> CellMaker::kernels_to_try(
    const std::vector<std::string>& variants) const {
  const std::vector<std::string> isas = isas_to_try();
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& isa : isas) {
    for (const std::string& variant : variants) {
      const kernels::Kernel* const kernel = kernels::find(variant, isa);
      const bool of_all = kernel != nullptr && kernel->isa == kernels::general_isa;
      if (!of_all || isa == isas.front()) all.emplace_back(isa, variant);
    }
  }
  return all;
}

model::Note CellMaker::set_kernel(Case& spec, std::string_view op, const std::string& isa) const {
  const kernels::Kernel* kernel = kernels::find(op, isa);
  spec.op = model::without_variant(op);
  spec.kernel = kernel == nullptr ? fmt::format("{}_{}", op, isa) : kernel->name;
  if (kernel == nullptr) return {model::NoteCode::no_kernel, {isa, std::string(op)}};
  // In double precision: one FMA per 8 bytes is a quarter of a flop per byte for any vector width.
  if (spec.kind == model::Kind::validation)
    spec.flop_per_byte = static_cast<double>(kernel->flops) / kernel->load_bytes;
  if (kernels::runs(*kernel)) return {};
  return {model::NoteCode::kernel_does_not_run, {std::string(kernel->name)}};
}

model::Note CellMaker::set_kernel(Case& spec, std::string_view op) const {
  return set_kernel(spec, op, isas_to_try().front());
}

model::Note CellMaker::page_problem(model::Pages pages) const {
  const bool listed = std::ranges::find(host_.page_bytes, pages.bytes()) != host_.page_bytes.end();
  const bool had = options_.gets_huge_pages && pages == model::huge_pages();
  if (!listed && !had && !host_.page_bytes.empty()) {
    return {model::NoteCode::no_such_pages, {name_of(pages)}};
  }
  return {};
}

std::optional<machines::Node> CellMaker::home(const Cluster& cluster) const {
  for (const machines::Node& node : machine_.nodes) {
    if (cluster.nodes.empty() ? node.bytes > 0 : node.os_index == cluster.nodes.front()) return node;
  }
  return std::nullopt;
}

const Cluster& CellMaker::cluster(int index) const {
  return machine_.clusters.at(static_cast<std::size_t>(index));
}

std::uint64_t CellMaker::memory_bytes(const Cluster& cluster, int threads) const {
  return memory_working_set(cluster, threads, options_.memory_set_bytes);
}

void CellMaker::push(Run run) {
  if (std::ranges::none_of(run.cases, [&](const Case& c) { return wanted(c, options_.only); })) return;
  fit_to_nodes(machine_, host_.memory_limit_bytes, run);
  runs_.push_back(std::move(run));
}

void CellMaker::add_single(Case spec, model::Note skip, int priority, int rounds, double seconds) {
  push(single_run(std::move(spec), std::move(skip), priority, rounds, seconds));
}

Run CellMaker::single_run(Case spec, model::Note skip, int priority, int rounds, double seconds) const {
  if (skip.empty() && !spec.pages.empty()) skip = page_problem(spec.pages);
  Run run;
  run.shares.emplace_back().cluster = spec.cluster;
  if (spec.node >= 0) run.shares.front().nodes = {static_cast<unsigned>(spec.node)};
  run.cases = {std::move(spec)};
  run.skip = std::move(skip);
  run.priority = priority;
  run.rounds = rounds;
  run.visit_seconds = seconds;
  return run;
}

void CellMaker::add_cached(const Cluster& cluster, std::size_t cache, model::Kind kind, model::Pages pages,
                           std::string_view op, const std::string& isa, int priority, int rounds,
                           double seconds) {
  const auto node = home(cluster);
  Case spec = base(cluster, kind, model::Level::cache(cluster.caches[cache].level), model::Pattern::cache);
  if (kind == model::Kind::latency) spec.threads = 1;
  spec.pages = pages;
  spec.node = static_cast<int>(node->os_index);
  spec.tier = node->tier;
  model::Note skip = set_kernel(spec, op, isa);
  spec.bytes = cache_working_set(cluster, cache, spec.threads, spec.smt);
  if (spec.bytes == 0) skip = no_cache_working_set(cluster, cache, spec.threads, spec.smt);
  add_single(std::move(spec), std::move(skip), priority, rounds, seconds);
}

Run CellMaker::memory_run(model::Pattern pattern, const Target& target, model::Pages pages, model::Kind kind,
                          std::string_view op, const std::string& isa, int priority, bool alone) const {
  const bool is_stream = streams(kind);
  Run run;
  run.shares = target.shares;
  run.priority = priority;
  run.rounds = options_.preset->rounds;
  run.visit_seconds = options_.preset->visit_seconds * (is_stream ? 1 : 0.7);
  for (const Share& share : target.shares) {
    Case spec = base(cluster(share.cluster), kind, model::Level::memory(), pattern);
    spec.node = target.node >= 0 || share.nodes.size() != 1 ? target.node : static_cast<int>(share.nodes[0]);
    spec.tier = target.tier;
    spec.pages = pages;
    run.skip = set_kernel(spec, op, isa);
    if (alone || kind == model::Kind::latency) spec.threads = 1;
    spec.bytes = memory_bytes(cluster(share.cluster), is_stream ? spec.threads : 1);
    if (has_load(kind)) run.loader_bytes = memory_bytes(cluster(share.cluster), spec.threads);
    spec.bytes = std::max(spec.bytes, least_on_nodes(share, pages));
    run.cases.push_back(std::move(spec));
  }
  if (run.skip.empty()) run.skip = page_problem(pages);
  if (!target.skip.empty()) run.skip = target.skip;
  fit_to_nodes(machine_, host_.memory_limit_bytes, run);
  for (std::size_t i = 0; i < run.cases.size(); ++i)
    note_side_caches(machine_, run.shares[i], run.cases[i], run.notes);
  if (run.skip.empty() && model::row_of(pattern).data == model::Data::one_node)
    run.skip = held_by_side_caches(machine_, run);
  set_side_caches(machine_, run);
  return run;
}

}  // namespace gable::bench
