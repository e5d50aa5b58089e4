#include "cli/measure/disturbances.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/text/shell_words.hpp"
#include "model/records/crowding.hpp"

namespace gable::cli {

void Disturbances::add(const model::Sample& sample) {
  const double kept = static_cast<double>(sample.seconds.size());
  Cores& cores = cores_[sample.spec.cluster];
  cores.most_adds = std::max(cores.most_adds, sample.adds_per_cycle);
  cores.visits.push_back({sample.adds_per_cycle, kept, static_cast<double>(sample.crowded)});
  if (sample.status != model::Status::invalid) return;
  ++invalid_;
  model::add_alike(reasons_, "", sample.reason);
}

std::string Disturbances::words(const std::string& folder) const {
  double crowded = 0, all = 0;
  for (const auto& [unused, cores] : cores_) {
    for (const Visit& visit : cores.visits) {
      all += visit.kept + visit.dropped;
      crowded += visit.dropped;
      if (model::is_crowded(visit.adds_per_cycle, cores.most_adds)) crowded += visit.kept;
    }
  }
  constexpr double noticeable = 0.05;
  std::string text;
  if (all > 0 && crowded >= noticeable * all)
    text +=
        fmt::format(", other hardware threads used the cores in {:.0f} % of the time", 100 * crowded / all);
  return text + invalid_words(folder);
}

std::string Disturbances::invalid_words(const std::string& folder) const {
  if (invalid_ == 0) return {};
  const std::string text = fmt::format(", {} invalid", invalid_);
  const auto most =
      std::ranges::max_element(reasons_, {}, [](const auto& each) { return each.second.count(); });
  const model::AlikeNotes& reason = most->second;
  const std::string why = reason.text();
  if (reasons_.size() == 1) return text + fmt::format(" ({})", why);
  return text + fmt::format(" ({} of them: {}; `gable fit {}` shows all reasons)", reason.count(), why,
                            shell_quoted(folder));
}

}  // namespace gable::cli
