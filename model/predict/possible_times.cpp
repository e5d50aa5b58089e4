#include "model/predict/possible_times.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/points/needs/thread_wait.hpp"

namespace gable::model {
namespace {

constexpr PredictParameters fitted_parameters;

Calibration without_waiting(Calibration calibration, double seconds) {
  calibration.excess = std::max(0.0, calibration.excess - seconds);
  return calibration;
}

// Seconds of a fault of a small page at most (also in a guest), and of clearing the page at least.
constexpr double most_of_fault = 3e-6, least_of_clearing = 0.1e-6;

}  // namespace

double middle_of(const std::vector<double>& times) {
  const auto [least, most] = std::ranges::minmax(times);
  return std::sqrt(least * most);
}

double PossibleTimes::likely(const std::vector<double>& times) const {
  return here_ == nullptr ? times.front() : middle_of(times);
}

std::vector<double> PossibleTimes::core_ratios(const NeedsPair& pair) const {
  if (here_->machine == there_.machine && used_cores(*here_) == used_cores(there_)) return {1};
  std::vector<double> ratios;
  if (knows_clocks(*here_, there_)) ratios.push_back(by_clock_);
  if (has_peaks_ && pair.core_before > 0 && pair.core_after > 0) {
    ratios.push_back(pair.core_after / pair.core_before);
    return ratios;
  }
  const double most = core_doubt(*here_, there_);
  return {by_clock_ / most, by_clock_ * most};
}

// The part of the error of the model here that it has there, too.
double PossibleTimes::carried() const {
  const bool same = here_->machine == there_.machine || (!here_->cpu.empty() && here_->cpu == there_.cpu);
  return same ? 1 : fitted_parameters.carried_elsewhere;
}

// The seconds here in which threads waited for each other, at least and at most, if one thread has none to
// wait for there.
std::vector<double> PossibleTimes::waiting_that_ends() const {
  const std::optional<ThreadWait> wait = thread_wait(here_->like);
  if (!wait || there_.like.threads != 1) return {0};
  return {wait->lo * here_->like.seconds, wait->hi * here_->like.seconds};
}

// The parts of the kernel's time here that it may take with more of the data on huge pages: few faults
// replace those of small pages, and the same bytes are cleared. How much of its time the faults take is not
// known.
std::vector<double> PossibleTimes::kernel_parts(double kernel) const {
  const Point& here = here_->like;
  const std::optional<double> there = there_.like.huge_pages_percent;
  const double moved = there ? (*there - here.huge_pages_percent.value_or(0)) / 100 : 0;
  if (moved <= 0 || kernel <= 0 || here.page_faults <= 0) return {1};
  const double faults = here.page_faults / std::max(1, here.threads);
  const double saved = std::min(kernel, faults * most_of_fault);
  const double least = kernel - moved * std::max(0.0, saved - faults * least_of_clearing);
  return {std::min(1.0, least / kernel), 1};
}

std::vector<double> PossibleTimes::of(const NeedsPair& pair, RoofEnd here, RoofEnd there) const {
  std::vector<double> found;
  if (here_ == nullptr) {
    for (const double chains : {1.0, fitted_parameters.chains_at_once})
      found.push_back(
          predicted_time(pair.after, {fitted_parameters.exposed, fitted_parameters.core, chains}, there));
    return found;
  }
  const Calibration with_waiting = calibrated(pair.before, here_->like, here, carried());
  const std::vector<PartNeeds> after = with_waiting.held_back(pair.after);
  for (const double waiting : waiting_that_ends()) {
    Calibration calibration = without_waiting(with_waiting, waiting);
    for (const double part : kernel_parts(with_waiting.kernel)) {
      calibration.kernel = part * with_waiting.kernel;
      for (const double core : core_ratios(pair)) {
        for (const bool waits : {false, true}) found.push_back(calibration.time(after, core, waits, there));
      }
    }
  }
  return found;
}

Calibration PossibleTimes::calibration(const NeedsPair& pair) const {
  const std::vector<double> waiting = waiting_that_ends();
  Calibration found = without_waiting(calibrated(pair.before, here_->like, RoofEnd::value, carried()),
                                      waiting.front() / 2 + waiting.back() / 2);
  const std::vector<double> kernel = kernel_parts(found.kernel);
  found.kernel *= kernel.front() / 2 + kernel.back() / 2;
  return found;
}

}  // namespace gable::model
