#include "bench/visit/visit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/clocks.hpp"
#include "base/error.hpp"
#include "bench/buffers/not_available.hpp"
#include "bench/plan/node_room.hpp"
#include "bench/schedule/regions.hpp"
#include "bench/visit/visit_state.hpp"
#include "kernels/flush.hpp"

namespace gable::bench {

namespace {

using kernels::Kernel;
using model::Case;
using model::Sample;
using model::Status;

constexpr std::int64_t usual_slice_ns = 500'000;
constexpr int bursts_per_visit = 3;
constexpr int most_bursts = 2 * bursts_per_visit;

const Kernel& kernel_of(std::string_view name) {
  const Kernel* kernel = kernels::named(name);
  if (kernel == nullptr) throw std::logic_error(fmt::format("no kernel {}", name));
  return *kernel;
}

const Kernel* loader_of(const Options& options) {
  return options.isa.empty() ? kernels::best("load") : kernels::find("load", options.isa);
}

bool has_generator(const Kernel& kernel) {
  return kernel.kind == kernels::Kind::random || kernel.kind == kernels::Kind::branch;
}

// Loads a line of each page, and flushes it. A nested hypervisor may have dropped the mappings of memory that
// was kept: then the first load of a page takes longer than a visit has.
void read_pages(const std::byte* memory, std::uint64_t bytes, std::uint64_t page) {
  for (std::uint64_t at = 0; at < bytes; at += page)
    static_cast<void>(*reinterpret_cast<const volatile std::byte*>(memory + at));
  for (std::uint64_t at = 0; at < bytes; at += page) kernels::flush(memory + at, 1);
}

double work_per_iteration(const Case& spec, const Kernel& kernel) {
  if (counts_flops(spec.kind)) return kernel.flops;
  if (kernel.kind == kernels::Kind::chase) return kernel.load_bytes / 8.0;
  if (spec.kind == model::Kind::random) return 1;
  if (kernel.additions > 0) return kernel.additions;
  return kernel.load_bytes + kernel.store_bytes;
}

}  // namespace

Bench::Bench(const machines::Machine& machine, const machines::Host& host, const Options& options,
             HalfWidth half_width, const std::atomic<bool>& stop)
    : machine_(machine),
      available_bytes_(host.memory_available_bytes),
      time_(host),
      options_(options),
      half_width_(std::move(half_width)),
      stop_(stop) {
  kept_.too_late = [this] { return stop_ || monotonic_seconds() > end_; };
}

std::vector<Sample> Bench::skipped(const Run& run, int round, const model::Note& reason) const {
  std::vector<Sample> samples;
  for (const Case& spec : run.cases) {
    Sample& sample = samples.emplace_back(begun<Sample>(spec, round));
    sample.status = stop_ && run.skip.empty() ? Status::invalid : Status::skipped;
    sample.reason = reason;
    if (sample.status != Status::invalid) continue;
    sample.reason = model::NoteCode::interrupted;
    sample.stopped = sentence(sample.reason);
  }
  return samples;
}

std::vector<Sample> Bench::visit(const Run& run, int round) {
  if (!run.skip.empty()) return skipped(run, round, run.skip);
  std::vector<Sample> samples;
  const model::Note why = why_not_measured([&] { samples = measure(run, round); });
  if (why.empty()) return samples;
  placement_.reset();
  return skipped(run, round, why);
}

std::vector<Sample> Bench::measure(const Run& run, int round) {
  Visit visit;
  for (const Case& spec : run.cases) visit.parts.emplace_back().sample = begun<Sample>(spec, round);
  place(run, round);
  set_up(run, visit);
  run_bursts(run, visit);
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < run.cases.size(); ++i) samples.push_back(conclude(run, i, visit));
  return samples;
}

void Bench::place(const Run& run, int round) {
  if (run.cases.front().pages.empty()) return;
  std::vector<std::vector<unsigned>> pus;
  for (const Share& share : run.shares) {
    const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(share.cluster));
    pus.push_back(pus_of(cluster, options_.threads, options_.smt));
  }
  const std::string name = placement(run);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < run.shares.size(); ++i) {
    const MemoryNeed need = need_of(run, i);
    bytes += need.streams + need.chase;
  }
  if (const auto known = refused_.find(name); known != refused_.end() && bytes >= known->second.bytes)
    throw NotAvailable(known->second.reason);
  placement_.reset();
  try {
    placement_ = std::make_unique<Placement>(run, round, pus, available_bytes_, team_, kept_);
  } catch (const NotAvailable& error) {
    refused_[name] = {bytes, error.note};
    throw;
  } catch (const Error& error) {
    refused_[name] = {bytes, model::Note(error.what())};
    throw;
  }
}

// A generator starts at a distance from all other starts. So a thread loads neither the lines of another
// thread nor those of the last visit, which caches may hold, and its branches have other outcomes.
void* Bench::next_start() {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio
  return reinterpret_cast<void*>(golden * ++starts_);
}

void Bench::set_up(const Run& run, Visit& visit) {
  struct Owner {
    std::size_t share, thread;
    std::uint64_t bytes, used;
  };
  std::vector<Owner> owners;
  std::vector<unsigned> cpus;
  for (std::size_t s = 0; s < run.cases.size(); ++s) {
    const Case& spec = run.cases[s];
    const machines::Cluster& cluster = machine_.clusters.at(static_cast<std::size_t>(spec.cluster));
    const std::vector<unsigned> pus = pus_of(cluster, spec.threads, spec.smt);
    const std::size_t siblings = spec.smt ? cluster.cores.front().pus.size() : 1;
    for (std::size_t t = 0; t < pus.size(); ++t) {
      const bool loader = has_load(spec.kind) && t > 0;
      if (loader && spec.load_percent == 0) break;
      if (loader && t < siblings) continue;  // the chase has its core to itself
      Work& work = visit.work.emplace_back();
      work.cpu = pus[t];
      work.kernel = loader ? loader_of(options_) : &kernel_of(spec.kernel);
      work.per_iteration = work_per_iteration(loader ? Case{} : spec, *work.kernel);
      work.percent = loader ? spec.load_percent : 100;
      work.arguments.scalar = kernels::usual_operand(*work.kernel);
      work.arguments.iterations_per_pass = 1;
      if (has_generator(*work.kernel)) work.arguments.cursor = next_start();
      (loader ? visit.parts[s].loaders : visit.parts[s].threads).push_back(owners.size());
      owners.push_back({s, t, loader ? run.loader_bytes : spec.bytes, 0});
      cpus.push_back(pus[t]);
    }
  }
  if (in_registers(run.cases.front().kind)) return;
  team_.run(cpus, [&](std::size_t i) {
    Owner& owner = owners[i];
    Work& work = visit.work[i];
    if (work.kernel->kind != kernels::Kind::chase) {
      owner.used = placement_->lay_out(*work.kernel, owner.share, owner.thread, owner.bytes, work.arguments);
      if (work.kernel->kind == kernels::Kind::random) {
        const void* const lines =
            work.kernel->store_bytes > 0 ? work.arguments.store : work.arguments.load[0];
        read_pages(static_cast<const std::byte*>(lines), owner.used, page_unit(run.cases[owner.share].pages));
      }
      if (run.first_pass) {
        work.arguments.iterations = work.arguments.iterations_per_pass;
        work.kernel->code(&work.arguments);
      }
      return;
    }
    owner.used = placement_->lay_chase(*work.kernel, owner.share, owner.bytes, work.arguments);
    work.sweep = placement_->chase(owner.share);
    read_pages(work.sweep, owner.used, page_unit(run.cases[owner.share].pages));
    work.sweep_bytes = owner.used <= run.swept_bytes ? owner.used : 0;
  });
  for (Visit::Part& part : visit.parts) part.used_bytes = owners[part.threads.front()].used;
}

void Bench::run_bursts(const Run& run, Visit& visit) {
  watch_.begin();
  const double seconds = run.visit_seconds / bursts_per_visit;
  for (int burst = 0; burst < most_bursts && !stop_; ++burst) {
    if (burst > 0 && monotonic_seconds() > end_) break;
    std::vector<Timeline> timelines =
        visit.seen.take(run_burst(team_, visit.work, seconds, stop_), visit.work, time_);
    look_for_strays(visit);
    watch_cores(visit, timelines);
    const Repetitions cut_out = time_.repetitions(
        std::move(timelines), std::min(usual_slice_ns, static_cast<std::int64_t>(seconds * 1e9 / 4)));
    bool tight = true, enough = true;
    for (Visit::Part& part : visit.parts) {
      part.kept.add(cut_out, part.threads, part.loaders);
      const std::vector<double> rates = part.kept.rates_alone(width_.most(part.sample.spec.cluster));
      enough = enough && rates.size() >= least_repetitions;
      tight = tight && rates.size() >= least_repetitions && half_width_(rates) <= options_.preset->tight;
    }
    if (tight || (enough && burst + 1 >= bursts_per_visit)) {
      for (Visit::Part& part : visit.parts) part.sample.stopped = tight ? "tight" : "time";
      break;
    }
  }
  for (std::size_t s = 0; s < visit.parts.size(); ++s) {
    const Work& first = visit.work[visit.parts[s].threads.front()];
    if (first.kernel->kind == kernels::Kind::chase) placement_->chase_stopped(s, first.arguments.cursor);
  }
  for (Visit::Part& part : visit.parts)
    part.kept.conclude(width_.most(part.sample.spec.cluster), part.sample);
  visit.seen.disturbance = watch_.end(static_cast<int>(visit.work.size()));
}

// Threads of one core crowd each other, which says nothing about others.
void Bench::watch_cores(const Visit& visit, std::vector<Timeline>& timelines) {
  for (const Visit::Part& part : visit.parts) {
    for (const std::size_t t : part.threads) {
      for (Tick& tick : timelines[t].ticks) {
        if (part.sample.spec.smt) tick.adds_per_cycle = 0;
        width_.saw(part.sample.spec.cluster, tick.adds_per_cycle);
      }
    }
  }
}

// May also detect pages that are moved away and back during the visit.
void Bench::look_for_strays(Visit& visit) const {
  for (std::size_t s = 0; s < visit.parts.size(); ++s) {
    Visit::Part& part = visit.parts[s];
    if (in_registers(part.sample.spec.kind) || !part.strayed.empty()) continue;
    part.strayed =
        placement_->strayed(s, static_cast<std::size_t>(part.sample.spec.threads), part.used_bytes);
  }
}

}  // namespace gable::bench
