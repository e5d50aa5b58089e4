#include "bench/visit/at_once_visit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bench/schedule/at_once.hpp"
#include "bench/schedule/open_visits.hpp"

namespace gable::bench {

namespace {

constexpr double tolerated_difference = 0.01;

double difference(const model::Sample& together, const model::Sample& by_itself) {
  const auto apart = [](double a, double b) { return a > 0 && b > 0 ? std::abs(a / b - 1) : 0; };
  return std::max(apart(visit_rate(together), visit_rate(by_itself)),
                  apart(together.clock_ghz, by_itself.clock_ghz));
}

std::vector<model::Sample> noted(std::vector<model::Sample> samples) {
  for (model::Sample& sample : samples) sample.notes.emplace_back(model::NoteCode::at_once);
  return samples;
}

}  // namespace

std::vector<model::Sample> AtOnce::visit(const Run& run, int round) {
  if (!run.at_once) return visit_(run, round);
  const auto known = differs_.find(&run);
  if (compare_ && known == differs_.end()) return first(run, round);
  if (compare_ && known->second) return one_by_one(run, round);
  return compare_ ? noted(visit_(run, round)) : visit_(run, round);
}

// The median of up to three differences decides, so that a single disturbance does not.
std::vector<model::Sample> AtOnce::first(const Run& run, int round) {
  const std::size_t cluster = next_++ % run.cases.size();
  const Run single = alone(run, cluster);
  std::array<int, 2> votes = {};  // like alone, and not
  std::vector<model::Sample> samples;
  while (votes[0] < 2 && votes[1] < 2) {
    samples = visit_(run, round);
    const std::vector<model::Sample> by_itself = visit_(single, round);
    const bool valid =
        samples[cluster].status == model::Status::ok && by_itself.front().status == model::Status::ok;
    if (!valid) return one_by_one(run, round);  // the next visit decides
    const bool like = difference(samples[cluster], by_itself.front()) <= tolerated_difference;
    ++votes[like ? 0 : 1];
    if (like && votes[1] == 0) break;
  }
  differs_[&run] = votes[1] > votes[0];
  return differs_[&run] ? one_by_one(run, round) : noted(std::move(samples));
}

std::vector<model::Sample> AtOnce::one_by_one(const Run& run, int round) {
  std::vector<model::Sample> samples;
  for (std::size_t i = 0; i < run.cases.size(); ++i) samples.push_back(visit_(alone(run, i), round).front());
  return samples;
}

}  // namespace gable::bench
