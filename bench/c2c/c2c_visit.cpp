#include "bench/c2c/c2c_visit.hpp"

#include <algorithm>
#include <cmath>

#include "model/records/crowding.hpp"

namespace gable::bench {

namespace {

constexpr double slices = 60, least_slice_ns = 200'000;

// The slices of a visit are long enough for several ticks, and more than a figure needs.
std::int64_t slice_ns(double seconds) {
  return static_cast<std::int64_t>(std::max(least_slice_ns, seconds * 1e9 / slices));
}

}  // namespace

C2cLines& C2cBench::lines_on(int node) {
  std::unique_ptr<C2cLines>& lines = lines_[node];
  if (!lines) lines = std::make_unique<C2cLines>(node);
  return *lines;
}

// Another hardware thread of a core, even one of another guest, would slow down its part.
void C2cBench::judge_cores(const std::vector<ExchangeTrace>& traces, model::C2cSample& sample) {
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const double adds = traces[t].adds_per_cycle;
    if (adds <= 0) continue;
    const unsigned pu = sample.spec.pus[t];
    const auto place = std::ranges::find(places_, pu, &machines::Place::pu);
    const int cluster = place == places_.end() ? 0 : place->cluster;
    width_.saw(cluster, adds);
    if (sample.adds_per_cycle == 0 || adds < sample.adds_per_cycle) sample.adds_per_cycle = adds;
    if (model::is_crowded(adds, width_.most(cluster)))
      spoil(sample, {model::NoteCode::crowded_core, {double(pu)}});
  }
}

void C2cBench::conclude(const std::vector<ExchangeTrace>& traces, double seconds, Seen& seen,
                        model::C2cSample& sample) {
  std::vector<Trace> plain;
  std::vector<Work> work;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    plain.push_back(traces[t].trace);
    work.emplace_back().cpu = sample.spec.pus[t];
  }
  std::vector<Timeline> timelines = seen.take(plain, work, time_);
  if (row_of(sample.spec.measure).of_pairs)
    std::erase_if(timelines, [](const Timeline& timeline) { return timeline.ticks.empty(); });
  const Repetitions cut_out = time_.repetitions(std::move(timelines), slice_ns(seconds));
  if (!row_of(sample.spec.measure).of_pairs) sample.by_threads.assign(cut_out.work.size(), 0);
  for (const std::size_t r : keep(cut_out, sample)) {
    for (std::size_t t = 0; t < sample.by_threads.size(); ++t)
      sample.by_threads[t] += std::round(cut_out.work[t][r]);
  }
  for (const std::set<unsigned>& of_thread : seen.cpus)
    sample.cpus.insert(sample.cpus.end(), of_thread.begin(), of_thread.end());
}

model::C2cSample C2cBench::visit(const model::C2cCase& spec, int round, double seconds) {
  auto sample = begun<model::C2cSample>(spec, round);
  watch_.begin();
  Seen seen;
  std::vector<ExchangeTrace> traces;
  std::map<int, std::uint64_t> found;
  const C2cLines* lines = nullptr;
  const model::Note why = why_not_measured([&] {
    C2cLines& home = lines_on(spec.node);
    lines = &home;
    const bool own_cores = spec.between.relation != model::Relation::core || !row_of(spec.measure).of_pairs;
    traces = run_exchange(team_, {spec.measure, spec.pus, seconds, host_.emulated, own_cores}, home, stop_);
    found = home.residence();
  });
  seen.disturbance = watch_.end(static_cast<int>(spec.pus.size()));
  if (!why.empty()) {
    skip(sample, why);
    return sample;
  }
  conclude(traces, seconds, seen, sample);
  describe(seen, time_, watch_, sample);
  sample.notes.insert(sample.notes.end(), lines->notes().begin(), lines->notes().end());
  spoil(sample, lines->misplaced(found, nodes_));
  std::ranges::copy_if(found, std::inserter(sample.node_bytes, sample.node_bytes.end()),
                       [](const auto& node) { return node.first >= 0; });
  judge(seen, time_, stop_, true, watch_.cpus(), sample);
  judge_cores(traces, sample);
  return sample;
}

}  // namespace gable::bench
