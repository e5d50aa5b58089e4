#pragma once

// What a visit of any kind sees beside its repetitions, and how it is judged.

#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "base/numbers.hpp"
#include "bench/threads/burst.hpp"
#include "bench/visit/utc.hpp"
#include "bench/visit/watch.hpp"
#include "model/records/records.hpp"

namespace gable::bench {

/// What a visit shows beside its repetitions.
struct Seen {
  std::vector<std::set<unsigned>> cpus;  ///< by thread
  std::vector<double> clocks;            ///< GHz, of every thread and burst
  model::Note clock_note;                ///< of a thread whose clock changed
  model::Note moved;                     ///< the first thread that was seen on another CPU
  Disturbance disturbance;

  /// Takes the traces of a burst and returns their timelines.
  std::vector<Timeline> take(const std::vector<Trace>& traces, const std::vector<Work>& work,
                             const Timekeeping& time);
};

/// Runs `measure` and returns why this machine could not do it (Error::unavailable, a failed system call, too
/// little memory); empty if it succeeded. This is where such an error becomes a result.
model::Note why_not_measured(const std::function<void()>& measure);

/// The record of a visit before anything is done.
template <typename Sample>
Sample begun(const decltype(Sample::spec)& spec, int round) {
  Sample sample;
  sample.spec = spec;
  sample.round = round;
  sample.started = utc_now();
  return sample;
}

/// Keeps the work of all threads in each repetition that no thread spent stopped. Returns which these are.
template <typename Sample>
std::vector<std::size_t> keep(const Repetitions& cut_out, Sample& sample) {
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < cut_out.disturbed.size(); ++r) {
    double work = 0;
    for (const std::vector<double>& of_thread : cut_out.work) work += of_thread[r];
    if (cut_out.disturbed[r] || std::round(work) < 1) {
      ++sample.disturbed;
      continue;
    }
    sample.seconds.push_back(cut_out.seconds);
    sample.work.push_back(std::round(work));
    kept.push_back(r);
  }
  return kept;
}

/// Makes it skipped, without repetitions.
template <typename Sample>
void skip(Sample& sample, const model::Note& reason) {
  sample.status = model::Status::skipped;
  sample.reason = reason;
  sample.seconds.clear();
  sample.work.clear();
}

/// Makes it invalid. The first fault is the reason, and an empty note is no fault.
template <typename Sample>
void spoil(Sample& sample, const model::Note& fault) {
  if (sample.status != model::Status::ok || fault.empty()) return;
  sample.status = model::Status::invalid;
  sample.reason = fault;
}

/// Records the clock, the steal, and the notes on both.
template <typename Sample>
void describe(const Seen& seen, const Timekeeping& time, const Watch& watch, Sample& sample) {
  sample.clock_ghz = upper_median(seen.clocks);
  sample.steal_percent = seen.disturbance.steal_percent;
  sample.notes = time.notes();
  if (!seen.clock_note.empty()) sample.notes.push_back(seen.clock_note);
  if (!watch.sees()) sample.notes.emplace_back(model::NoteCode::not_watched);
}

/// Spoils it by the faults that every visit may have. `shared`: other processes on the machine, which has so
/// many `cpus`, disturb it.
template <typename Sample>
void judge(const Seen& seen, const Timekeeping& time, bool stopped, bool shared, int cpus, Sample& sample) {
  spoil(sample, seen.moved);
  if (stopped) spoil(sample, model::NoteCode::interrupted);
  const int kept = static_cast<int>(sample.work.size());
  if (sample.work.size() < least_repetitions)
    spoil(sample, {model::NoteCode::stalled,
                   {double(sample.disturbed), double(sample.disturbed + kept), sample.steal_percent}});
  if (shared && time.spoilt_by(seen.disturbance, cpus))
    spoil(sample, {model::NoteCode::others_busy, {seen.disturbance.others}});
}

}  // namespace gable::bench
