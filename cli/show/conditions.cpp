#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/sorting.hpp"
#include "base/words.hpp"
#include "cli/show/shown_roofs.hpp"
#include "model/roofs/interval.hpp"
#include "plots/charts/recorded.hpp"

namespace gable::cli {
namespace {

using model::Roof;
using Roofs = std::vector<Roof>;

// Every figure that the screen shows.
Roofs shown_roofs(const ShownMatrix& matrix, const std::vector<ShownLine>& lines, bool latencies) {
  Roofs roofs;
  const auto add = [&](const Roofs& some) {
    const Roofs ok = ok_of(some);
    roofs.insert(roofs.end(), ok.begin(), ok.end());
  };
  add(matrix.bandwidth);
  if (latencies) add(matrix.latency);
  for (const ShownLine& line : lines) {
    add(line.figures);
    if (latencies) add(line.latencies);
  }
  return roofs;
}

// The remarks on these figures, alike ones as one, the most frequent ones first.
std::vector<std::string> remarks_on(const Roofs& roofs) {
  constexpr std::size_t most = 3;
  model::NotesByKind alike;
  std::set<std::string> seen;  // a figure may be in the matrix and in the table
  for (const Roof& roof : roofs) {
    if (!seen.insert(model::key(roof.spec)).second) continue;
    for (const model::Note& remark : roof.remarks) add_alike(alike, "", remark);
  }
  std::vector<model::AlikeNotes> remarks;
  for (const auto& [kind, notes] : alike) remarks.push_back(notes);
  sort_down_by(remarks, &model::AlikeNotes::count);
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < std::min(most, remarks.size()); ++i)
    sentences.push_back(
        fmt::format("Remark on {}: {}.", count_text(remarks[i].count(), "figure"), remarks[i].text()));
  if (remarks.size() > most) sentences.push_back(fmt::format("{} more remarks.", remarks.size() - most));
  return sentences;
}

}  // namespace

std::string conditions_of(const ShownMatrix& matrix, const std::vector<ShownLine>& lines,
                          const std::vector<ShownLine>& operations) {
  Roofs rates = shown_roofs(matrix, lines, false);
  for (Roof& roof : rates) roof.source.clear();
  Roofs all = shown_roofs(matrix, lines, true);
  for (const ShownLine& line : operations) std::ranges::copy(line.figures, std::back_inserter(all));
  const std::string how = charts::conditions_text(rates), sources = charts::sources_text(all);
  std::vector<std::string> sentences;
  if (!how.empty()) sentences.push_back(fmt::format("Peaks and bandwidths: {}.", how));
  if (!sources.empty()) sentences.push_back(fmt::format("The {}.", sources));
  const auto has = [&](bool (*wanted)(const Roof&)) { return std::ranges::any_of(all, wanted); };
  if (has([](const Roof& roof) { return roof.lo < roof.hi && roof.source.empty(); }))
    sentences.push_back(fmt::format("{}.", model::interval_rule));
  if (has(has_shown_ends))
    sentences.emplace_back("Brackets: the interval itself, where it is wider than ±100 %.");
  if (has(has_unknown_interval))
    sentences.emplace_back("±?: too few values for an interval, or few that differ much.");
  if (has([](const Roof& roof) { return roof.lo < roof.hi && !roof.source.empty(); }))
    sentences.emplace_back("± is as published.");
  for (std::string& remark : remarks_on(all)) sentences.push_back(std::move(remark));
  return fmt::format("{}", fmt::join(sentences, " "));
}

// Lines and clusters without any figure.
std::vector<std::string> unknown_words(const ShownFolder& shown, const std::vector<ShownLine>& lines) {
  std::vector<std::string> words;
  for (const ShownLine& line : lines) {
    if (!is_known(line)) words.push_back(line.words);
  }
  if (std::ranges::none_of(lines, [](const ShownLine& line) { return !ok_of(line.latencies).empty(); }))
    words.emplace_back("idle latencies");
  if (!shown.machine) return words;
  const std::set<int> known = clusters_of(lines);
  std::vector<int> others;
  for (const machines::Cluster& cluster : shown.machine->clusters) {
    if (!known.contains(cluster.index)) others.push_back(cluster.index);
  }
  if (!others.empty())
    words.push_back(fmt::format("{} {}", plural(std::ssize(others), "cluster"), indices_text(others)));
  return words;
}

}  // namespace gable::cli
