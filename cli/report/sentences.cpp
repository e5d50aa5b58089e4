#include "cli/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/lists.hpp"
#include "base/numbers.hpp"
#include "cli/show/shown_roofs.hpp"
#include "cli/text/columns.hpp"
#include "model/roofs/best.hpp"
#include "plots/charts/text.hpp"

namespace gable::cli {
namespace {

using model::Roof;
using model::Status;
using SomeRoofs = std::vector<Roof>;

SomeRoofs ok_with(const SomeRoofs& roofs, const std::function<bool(const Roof&)>& wanted) {
  return those(roofs,
               [&](const Roof& roof) { return roof.status == Status::ok && roof.value > 0 && wanted(roof); });
}

SomeRoofs of_pattern(const SomeRoofs& roofs, model::Pattern pattern, model::Tiers tier) {
  return ok_with(roofs, [&](const Roof& roof) {
    return roof.spec.pattern == pattern && (tier.empty() || roof.spec.tier == tier);
  });
}

// "37.80 to 38.10"
std::string span_text(const SomeRoofs& roofs) {
  const auto [least, most] = std::ranges::minmax_element(roofs, {}, &Roof::value);
  return number_range(least->value, most->value);
}

double middle_of(const SomeRoofs& roofs) {
  return upper_median(each_of(roofs, &Roof::value));
}

// DRAM first, as it is what the others are compared with.
std::vector<model::Tiers> tiers_of_roofs(const SomeRoofs& roofs) {
  std::vector<model::Tiers> tiers = distinct(roofs, [](const Roof& roof) { return roof.spec.tier; });
  std::ranges::stable_partition(tiers, [](model::Tiers tier) { return tier == model::plain_tier; });
  return tiers;
}

std::string latency_clause(const SomeRoofs& latencies) {
  return latencies.empty() ? ""
                           : fmt::format(" and waits {} ns for a single line of it", span_text(latencies));
}

// "A cluster loads from its own DRAM at 38 GB/s; from its own HBM at 92 GB/s, 2.4 times as fast."
std::string local_sentence(const ShownMatrix& matrix) {
  std::string text;
  double first = 0;
  for (const model::Tiers tier :
       tiers_of_roofs(ok_with(matrix.bandwidth, [](const Roof&) { return true; }))) {
    const SomeRoofs rates = of_pattern(matrix.bandwidth, model::Pattern::local, tier);
    if (rates.empty()) continue;
    const std::string latency = latency_clause(of_pattern(matrix.latency, model::Pattern::local, tier));
    if (first == 0) {
      first = middle_of(rates);
      text = fmt::format("A cluster alone loads from its own {} at {} GB/s{}", name_of(tier),
                         span_text(rates), latency);
    } else {
      const double ratio = middle_of(rates) / first;
      const std::string beside = ratio >= 1 ? fmt::format("{} times as much", charts::three_digits(ratio))
                                            : fmt::format("{:.0f} % of that", 100 * ratio);
      text += fmt::format("; from its own {} at {} GB/s, {}{}{}", name_of(tier), span_text(rates), beside,
                          latency.empty() ? "" : ",", latency);
    }
  }
  return text.empty() ? text : text + ".";
}

// What the memory of other nodes gives, beside the own one of the same kind.
std::string remote_sentence(const ShownMatrix& matrix) {
  SomeRoofs shares;
  for (const Roof& local : of_pattern(matrix.bandwidth, model::Pattern::local, {})) {
    for (Roof remote : of_pattern(matrix.bandwidth, model::Pattern::remote, local.spec.tier)) {
      if (remote.spec.cluster != local.spec.cluster) continue;
      remote.value *= 100 / local.value;
      shares.push_back(remote);
    }
  }
  if (shares.empty()) return {};
  const auto [least, most] = std::ranges::minmax_element(shares, {}, &Roof::value);
  const std::string share = fmt::format("{:.0f}", least->value), best = fmt::format("{:.0f}", most->value);
  const std::string range = share == best ? share : share + " to " + best;
  constexpr double matters = 90;
  std::string text =
      fmt::format("Memory of the same kind at another cluster gives {} % of that bandwidth", range);
  const SomeRoofs far = of_pattern(matrix.latency, model::Pattern::remote, {});
  if (!far.empty()) text += fmt::format(" at {} ns", span_text(far));
  return text + (least->value < matters
                     ? ": keep data beside the threads that use it."
                     : ": while one cluster works alone, it matters little which of them has its data.");
}

const Roof* best_of_cluster(const SomeRoofs& roofs, int cluster) {
  return model::best(roofs, [&](const Roof& roof) { return roof.spec.cluster == cluster; });
}

const Roof* best_of_cluster(SomeRoofs&& roofs, int cluster) = delete;  // it would point into what is gone

// Tells from which arithmetic intensity on computing is the limit.
std::string ridge_sentence(const ShownMatrix& matrix, const std::vector<ShownLine>& lines) {
  const auto peaks = std::ranges::find_if(lines, [](const ShownLine& line) {
    return !ok_with(line.figures, [](const Roof& roof) { return is_peak(roof.spec.kind); }).empty();
  });
  if (peaks == lines.end()) return {};
  const int cluster = ok_with(peaks->figures, [](const Roof&) { return true; }).front().spec.cluster;
  const Roof* const peak = best_of_cluster(peaks->figures, cluster);
  std::string needs;
  for (const model::Tiers tier :
       tiers_of_roofs(ok_with(matrix.bandwidth, [](const Roof&) { return true; }))) {
    const SomeRoofs local = of_pattern(matrix.bandwidth, model::Pattern::local, tier);
    const Roof* const memory = best_of_cluster(local, cluster);
    if (memory == nullptr) continue;
    needs += fmt::format("{}{} flop/byte from {}", needs.empty() ? "" : " or ",
                         charts::three_digits(peak->value / memory->value), name_of(tier));
  }
  if (needs.empty()) return {};
  return fmt::format(
      "A program needs {} to reach the {} of {} GFlop/s; with less, the bandwidth of the memory that holds "
      "its data is its limit.",
      needs, peaks->words, number(peak->value));
}

}  // namespace

std::vector<std::string> meaning_of(const ShownFolder& shown, const std::vector<model::Sample>& samples) {
  const ShownMatrix matrix = matrix_of(shown);
  std::vector<std::string> sentences = {local_sentence(matrix), remote_sentence(matrix),
                                        ridge_sentence(matrix, lines_of(shown)),
                                        wide_interval_sentence(shown, samples)};
  std::erase(sentences, "");
  if (sentences.empty() && !shown.roofs.roofs.empty())
    sentences.emplace_back(
        "No bandwidth of a memory node is known here; the end of this page says what was skipped or is "
        "invalid, and "
        "why.");
  return sentences;
}

}  // namespace gable::cli
