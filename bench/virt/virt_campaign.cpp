#include "bench/virt/virt_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "bench/threads/crew.hpp"
#include "bench/virt/detours.hpp"
#include "bench/virt/environment.hpp"
#include "bench/virt/mapping.hpp"
#include "bench/virt/pages.hpp"
#include "bench/virt/programs.hpp"
#include "bench/virt/walk.hpp"
#include "bench/visit/seen.hpp"
#include "machines/affinity.hpp"

namespace gable::bench {

namespace {

using model::Status;
using model::VirtKind;
using model::VirtSample;

constexpr double detour_threshold = 9;  // times the shortest pass, as selfish detour has it

using VirtVisit = RoundVisit<VirtCell>;

// The kernel's counts for a CPU since boot.
struct CpuCounts {
  std::map<std::string, double> interrupts;
  double stolen_seconds = 0;
};

CpuCounts counts_of(unsigned cpu) {
  return {interrupts_of(cpu), stolen_seconds(cpu)};
}

std::vector<VirtVisit> open_virt_visits(const std::vector<VirtCell>& cells, const Visited& done) {
  return open_rounds(
      cells, done, [](const VirtCell& cell) { return cell.rounds; },
      [](const VirtCell& cell) { return model::key(cell.spec); });
}

// A measurement that has no choice of pages uses small ones.
model::VirtPages pages_of(const model::VirtCase& spec) {
  return spec.pages == model::VirtPages::none ? model::VirtPages::small : spec.pages;
}

class VirtBench {
 public:
  VirtBench(const machines::Host& host, const std::vector<VirtCell>& cells, const std::atomic<bool>& stop)
      : host_(host), time_(host), stop_(stop) {
    for (const VirtCell& cell : cells) {
      if (cell.spec.kind == VirtKind::walk) most_walk_ = std::max(most_walk_, cell.spec.bytes);
    }
  }

  // Visits one cell of any kind except noise.
  VirtSample visit(const VirtVisit& visit) {
    VirtSample sample = begun<VirtSample>(visit.cell->spec, visit.round);
    if (sample.spec.kind != VirtKind::walk) arena_.reset();
    watch_.begin();
    const model::Note why =
        why_not_measured([&] { team_.run({home()}, [&](std::size_t) { measure(sample); }); });
    if (!why.empty()) skip(sample, why);
    const Disturbance found = watch_.end(1);
    sample.steal_percent = found.steal_percent;
    if (row_of(sample.spec.kind).is_timed) note_others(found, sample);
    return sample;
  }

  // Visits all cells of noise of a round at once, because a parallel program keeps every core busy, too. The
  // threads read the counts in a job of their own: nothing may fail between the start and the barrier.
  std::vector<VirtSample> visit_noise(const std::vector<VirtVisit>& visits) {
    arena_.reset();
    std::vector<VirtSample> samples;
    std::vector<unsigned> cpus;
    for (const VirtVisit& visit : visits) {
      samples.push_back(begun<VirtSample>(visit.cell->spec, visit.round));
      cpus.push_back(static_cast<unsigned>(visit.cell->spec.cpu));
    }
    watch_.begin();
    const model::Note why = why_not_measured([&] {
      Crew crew(team_, cpus);
      std::vector<CpuCounts> before(cpus.size());
      crew.run([&](std::size_t i) { before[i] = counts_of(cpus[i]); });
      Barrier start(crew, true);
      crew.run([&](std::size_t i) {
        start.wait();
        record_noise(before[i], visits[i].cell->seconds, samples[i]);
      });
    });
    for (VirtSample& sample : samples) {
      if (!why.empty()) skip(sample, why);
    }
    const Disturbance found = watch_.end(static_cast<int>(cpus.size()));
    for (VirtSample& sample : samples) note_others(found, sample);
    return samples;
  }

  // Whether memory with these pages was asked for before, and was not available.
  bool refused(model::VirtPages pages) const { return is_among(refused_, pages); }

 private:
  // The visit stays ok: what runs beside it may belong to the system that is measured.
  void note_others(const Disturbance& found, VirtSample& sample) const {
    if (!watch_.sees())
      sample.notes.emplace_back(model::NoteCode::not_watched);
    else if (sample.status == Status::ok && time_.seen_spoilt_by(found, watch_.cpus()))
      sample.notes.push_back({model::NoteCode::others_busy, {found.others}});
  }

  // The first CPU of this process: everything but noise runs there.
  static unsigned home() {
    const std::vector<unsigned> cpus = machines::affinity_of(0);
    return cpus.empty() ? 0 : cpus.front();
  }

  void measure(VirtSample& sample) {
    const model::VirtCase& spec = sample.spec;
    if (spec.kind == VirtKind::environment) {
      sample.facts = environment_facts(host_);
      sample.hypervisor = hypervisor_of(host_);
    } else if (spec.kind == VirtKind::map) {
      constexpr int repetitions = 5;
      const MappingCost cost = mapping_cost(spec.what, pages_of(spec), spec.bytes, repetitions);
      sample.seconds = cost.seconds;
      sample.work = cost.calls;
    } else if (spec.kind == VirtKind::program) {
      ProgramRun run = run_program(spec.what, pages_of(spec), spec.bytes, stop_);
      sample.seconds = std::move(run.seconds);
      sample.work = std::move(run.work);
      sample.facts = std::move(run.facts);
      sample.verified = run.verified + (spec.what == model::programs::gups ? table_words(spec.bytes) : "");
      if (!run.wrong.empty()) {
        sample.status = Status::invalid;
        sample.reason = model::Note(run.wrong);
      }
    } else {
      walk(sample);
    }
  }

  // Whether the table of GUPS is HPC Challenge's.
  std::string table_words(std::uint64_t bytes) const {
    const std::uint64_t by_rules = gups_bytes_by_rules(host_);
    if (by_rules == 0) return {};
    return bytes == by_rules ? "; a table by its rules"
                             : fmt::format("; by its rules the table has {}", bytes_text(by_rules));
  }

  void walk(VirtSample& sample) {
    constexpr int repetitions = 6;
    constexpr std::uint64_t least_accesses = 4000, most_accesses = 40'000;
    const model::VirtCase& spec = sample.spec;
    if (arena_ == nullptr || arena_pages_ != spec.pages) allocate(spec.pages);
    Walk walk(arena_->data(), spec.bytes, spec.what == model::walks::packed ? Lines::packed : Lines::spread);
    const bool one_chain = spec.what != model::walks::bandwidth;
    std::uint64_t accesses = walk.lines();
    walk.follow(one_chain, accesses);  // what fits into the caches and the TLB is in them now
    for (int i = 0; i < repetitions && !stop_; ++i) {
      accesses = std::clamp(walk.lines(), least_accesses, most_accesses);
      sample.seconds.push_back(walk.follow(one_chain, accesses));
      sample.work.push_back(static_cast<double>(accesses));
    }
  }

  // All working sets of a page size lie at the beginning of one piece of memory.
  void allocate(model::VirtPages pages) {
    arena_.reset();
    arena_pages_ = pages;
    refused_.push_back(pages);  // stays if one of the next lines throws
    auto memory = std::make_unique<Pages>(pages, most_walk_);
    std::fill_n(reinterpret_cast<std::uint64_t*>(memory->data()), memory->size() / 8, 0);
    memory->require_huge();
    arena_ = std::move(memory);
    refused_.pop_back();
  }

  void record_noise(const CpuCounts& before, double seconds, VirtSample& sample) {
    DetourRecord record = record_detours(seconds, detour_threshold, stop_);
    sample.seconds = {record.seconds};
    sample.work = {static_cast<double>(record.passes)};
    sample.pass_ns = record.pass_ns;
    sample.threshold_us = record.threshold_us;
    if (record.detours.size() >= most_detours) sample.notes.emplace_back(model::NoteCode::record_full);
    sample.detours = std::move(record.detours);
    const CpuCounts after = counts_of(static_cast<unsigned>(sample.spec.cpu));
    const double stolen = after.stolen_seconds - before.stolen_seconds;
    sample.steal_percent = std::max(0.0, 100 * stolen / record.seconds);
    for (const auto& [name, count] : after.interrupts) {
      const auto known = before.interrupts.find(name);
      const double more = count - (known == before.interrupts.end() ? 0 : known->second);
      if (more > 0) sample.interrupts[name] = more;
    }
  }

  const machines::Host& host_;
  const Timekeeping time_;
  Watch watch_;
  const std::atomic<bool>& stop_;
  Team team_;
  std::uint64_t most_walk_ = 0;
  std::unique_ptr<Pages> arena_;
  model::VirtPages arena_pages_ = model::VirtPages::none;
  std::vector<model::VirtPages> refused_;
};

// The visits of noise from `first` on that belong to one round.
std::vector<VirtVisit> noise_of_round(const std::vector<VirtVisit>& visits, std::size_t first) {
  std::vector<VirtVisit> together;
  for (std::size_t v = first; v < visits.size() && row_of(visits[v].cell->spec.kind).is_on_every_cpu &&
                              visits[v].round == visits[first].round;
       ++v)
    together.push_back(visits[v]);
  return together;
}

}  // namespace

VisitsLeft left_of(const std::vector<VirtCell>& cells, const Visited& done) {
  VisitsLeft left;
  int noise_round = -1;
  for (const VirtVisit& visit : open_virt_visits(cells, done)) {
    if (visit.cell->seconds <= 0) continue;
    ++left.visits;
    const bool noise = row_of(visit.cell->spec.kind).is_on_every_cpu;
    if (!noise || visit.round != noise_round) left.seconds += visit.cell->seconds;
    if (noise) noise_round = visit.round;
  }
  return left;
}

bool run_virt(const machines::Host& host, const std::vector<VirtCell>& cells, double budget,
              const Visited& done, const VirtHooks& hooks, const std::atomic<bool>& stop) {
  const std::vector<VirtVisit> visits = open_virt_visits(cells, done);
  VirtBench bench(host, cells, stop);
  const auto visit = [&](std::size_t at, std::size_t& count) -> std::vector<VirtSample> {
    const model::VirtCase& spec = visits[at].cell->spec;
    if (row_of(spec.kind).is_on_every_cpu) {
      const std::vector<VirtVisit> together = noise_of_round(visits, at);
      count = together.size();
      return bench.visit_noise(together);
    }
    if (spec.kind == VirtKind::walk && bench.refused(spec.pages)) return {};
    return {bench.visit(visits[at])};
  };
  const auto left = [expected = left_of(cells, done).seconds](std::size_t, double spent, double) {
    return std::max(0.0, expected - spent);
  };
  return visit_rounds(visits, budget, hooks, stop, visit, left);
}

}  // namespace gable::bench
