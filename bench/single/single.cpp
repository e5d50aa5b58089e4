#include "bench/single/single.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"
#include "bench/plan/cell_maker.hpp"
#include "bench/plan/side_cache.hpp"
#include "bench/schedule/make_plan.hpp"
#include "bench/schedule/race.hpp"
#include "kernels/kernel.hpp"

namespace gable::bench {

namespace {

using machines::Cluster;
using model::Case;

constexpr std::uint64_t least_each = 4096;  // one pass of the longest loop
constexpr int least_visits = 6;             // fewest that give an interval from order statistics

const kernels::Kernel* kernel_of_any_isa(const std::string& op) {
  const auto all = kernels::all();
  const auto found =
      std::ranges::find_if(all, [&](const kernels::Kernel& kernel) { return op == kernel.op; });
  return found == all.end() ? nullptr : &*found;
}

// Throws for a node that does not exist or has no memory.
const machines::Node& node_of(const machines::Machine& machine, int os_index) {
  std::string known;
  for (const machines::Node& node : machine.nodes) {
    if (node.bytes > 0 && static_cast<int>(node.os_index) == os_index) return node;
    if (node.bytes > 0) known += fmt::format("{}{}", known.empty() ? "" : ", ", node.os_index);
  }
  throw Error::usage(fmt::format("--node {}: nodes with memory are {}", os_index, known));
}

// Users call the operation "latency".
bool is_chase(const std::string& op) {
  return op == name_of(model::Kind::latency);
}

model::Kind kind_of(const std::string& op) {
  if (is_chase(op)) return model::Kind::latency;
  if (op == model::operations::random_apart.name() || op == model::operations::store_apart.name())
    return model::Kind::window;
  return op == model::operations::random.name() ? model::Kind::random : model::Kind::bandwidth;
}

bool goes_past_caches(const model::Operation& op) {
  return kernels::nt_stores_bypass_caches && model::bypasses_caches(op);
}

// Whether the operation uses only registers and takes no size.
bool works_in_registers(const std::string& op) {
  const kernels::Kernel* kernel = kernel_of_any_isa(op);
  return kernel != nullptr && kernel->kind == kernels::Kind::flops;
}

class SingleCell : public CellMaker {
 public:
  using CellMaker::CellMaker;

  // A run for each ISA and variant that may be the fastest.
  std::vector<Run> make(const Single& single) {
    const Cluster& threads_of = cluster(single.cluster);
    if (works_in_registers(single.op)) return {finished(peak(threads_of, single.op), false)};
    Case spec = base(threads_of, kind_of(single.op), {}, {});
    if (is_chase(single.op)) spec.threads = 1;
    spec.pages = pages_.front();
    const machines::Node& node = single.node >= 0 ? node_of(machine_, single.node) : home_of(threads_of);
    spec.node = static_cast<int>(node.os_index);
    spec.tier = node.tier;
    const std::string op = is_chase(single.op) ? model::operations::chase.name() : single.op;
    set_kernel(spec, op);  // the level depends on the operation
    set_working_set(threads_of, single.bytes, spec);
    const bool local = is_among(threads_of.nodes, node.os_index);
    spec.pattern = !is_memory(spec.level) ? model::Pattern::cache
                   : local                ? model::Pattern::local
                                          : model::Pattern::remote;
    std::vector<Run> runs;
    model::Note missing;
    for (const auto& [isa, variant] : kernels_to_try(variants(threads_of, spec, op))) {
      const model::Note skip = set_kernel(spec, variant, isa);
      if (skip.empty()) runs.push_back(finished(spec, single.bytes > 0));
      if (missing.empty()) missing = skip;
    }
    if (runs.empty()) throw Error::usage(sentence(missing));
    return runs;
  }

 private:
  std::vector<std::string> variants(const Cluster& threads_of, const Case& spec,
                                    const std::string& op) const {
    if (is_memory(spec.level)) return variants_to_try(op, &model::Variant::in_memory);
    const bool first_cache =
        !threads_of.caches.empty() && spec.level.number() == threads_of.caches.front().level;
    return variants_to_try(op, place_of_cache(first_cache));
  }

  Case peak(const Cluster& threads_of, const std::string& op) const {
    Case spec = base(threads_of, model::Kind::flops, model::Level::core(), model::Pattern::core);
    if (const model::Note skip = set_kernel(spec, op); !skip.empty()) throw Error::usage(sentence(skip));
    spec.op = model::Operation(std::string_view(op).substr(0, op.rfind('_')));
    spec.precision = *model::named<model::Precision>(op.substr(op.rfind('_') + 1));
    return spec;
  }

  machines::Node home_of(const Cluster& threads_of) const {
    const auto node = home(threads_of);
    if (!node) throw Error::usage("no memory node can be used");
    return *node;
  }

  void set_working_set(const Cluster& threads_of, std::uint64_t bytes, Case& spec) const {
    const auto threads = static_cast<std::uint64_t>(spec.threads);
    spec.bytes = bytes > 0 ? bytes / threads : memory_bytes(threads_of, spec.threads);
    if (spec.bytes < least_each)
      throw Error::usage(fmt::format("{} for {}: give {} or more to each", bytes_text(bytes),
                                     count_text(spec.threads, "thread"), bytes_text(least_each)));
    spec.level = goes_past_caches(spec.op) ? model::Level::memory()
                                           : level_of(threads_of, spec.bytes, spec.threads, spec.smt);
  }

  Run finished(Case spec, bool as_asked) {
    Run asked = single_run(std::move(spec), {}, 0, options_.preset->rounds, options_.preset->visit_seconds);
    asked.as_asked = as_asked;
    push(std::move(asked));
    Run run = std::move(take().front());
    const Case& first = run.cases.front();
    if (!run.skip.empty()) throw Error::usage(sentence(run.skip));
    if (!is_peak(first.kind)) note_side_caches(machine_, run.shares.front(), first, run.notes);
    const std::uint64_t bytes = first.bytes * static_cast<std::uint64_t>(first.threads);
    const std::uint64_t usual = usual_memory_set(cluster(first.cluster));
    const bool loads = model::load_share_of(first.op) != 0;
    if (is_memory(first.level) && bytes < usual && (loads || !goes_past_caches(first.op)))
      run.notes.push_back({model::NoteCode::partly_in_caches, {double(usual)}});
    if (is_memory(first.level) && bytes > usual)
      run.ample_share = static_cast<double>(usual) / static_cast<double>(bytes);
    if (is_memory(first.level)) set_side_caches(machine_, run);
    if (!run.skip.empty()) run.notes.push_back(std::exchange(run.skip, {}));
    return run;
  }
};

void check(const machines::Machine& machine, const Options& options, const Single& single) {
  const std::vector<std::string> known = single_operations();
  if (!is_among(known, single.op))
    throw Error::usage(fmt::format("no operation '{}'{}\n`gable bench --help` lists the operations.",
                                   single.op, did_you_mean(single.op, known)));
  if (single.cluster < 0 || single.cluster >= static_cast<int>(machine.clusters.size()))
    throw Error::usage(
        fmt::format("--cluster {}: this machine has {}, from 0", single.cluster,
                    count_text(static_cast<std::int64_t>(machine.clusters.size()), "cluster")));
  const auto most = pus_of(machine.clusters[index(single.cluster)], 0, options.smt).size();
  if (options.threads > static_cast<int>(most))
    throw Error::usage(fmt::format("--threads {}: cluster {} has room for {}{}", options.threads,
                                   single.cluster, most, options.smt ? "" : ", one per core"));
  if (is_chase(single.op) && options.threads > 1)
    throw Error::usage("--threads: latency is measured with one thread");
  if (!works_in_registers(single.op)) return;
  if (single.bytes > 0) throw Error::usage(fmt::format("{} works in registers and takes no SIZE", single.op));
  if (single.node >= 0) throw Error::usage(fmt::format("--node: {} works in registers", single.op));
}

}  // namespace

std::vector<std::string> single_operations() {
  std::vector<std::string> names;
  for (const auto kind : {kernels::Kind::stream, kernels::Kind::flops, kernels::Kind::random}) {
    for (const kernels::Kernel& kernel : kernels::all()) {
      if (kernel.kind == kind) add_once(names, std::string(kernel.op));
    }
  }
  names.emplace_back("latency");
  return names;
}

Plan single_plan(const machines::Machine& machine, const machines::Host& host, const Options& options,
                 const Single& single) {
  check(machine, options, single);
  check_options(machine, options);
  SingleCell cell(machine, host, options);
  std::vector<Run> runs = cell.make(single);
  for (Run& run : runs) {
    run.race = race_of(run.cases.front());
    run.rounds = std::max(least_visits, run.rounds / static_cast<int>(runs.size()));
  }
  describe_shares(machine, options, runs);
  return in_order(std::move(runs));
}

Preset preset_of_seconds(double seconds) {
  Preset preset = *find_preset("standard");
  preset.rounds = std::max(least_visits, static_cast<int>(std::lround(seconds / preset.visit_seconds)));
  preset.visit_seconds = seconds / preset.rounds;
  preset.tight = 0;  // never end before the requested time
  return preset;
}

}  // namespace gable::bench
