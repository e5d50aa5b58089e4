#include "cli/show/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/words.hpp"
#include "cli/show/summary.hpp"
#include "model/json/case.hpp"

namespace gable::cli {
namespace {

using model::Roof;
using model::Status;

// What was skipped or spoiled, and the main reasons.
std::string disturbance_text(const ShownFolder& shown) {
  constexpr std::size_t most = 3;
  if (shown.missing.empty()) return {};
  std::vector<const Missing*> reasons;
  std::size_t skipped = 0, invalid = 0;
  for (const Missing& missing : shown.missing) {
    (missing.status == Status::skipped ? skipped : invalid) += missing.cases.size();
    reasons.push_back(&missing);
  }
  std::ranges::stable_sort(reasons, [](const Missing* a, const Missing* b) {
    if (a->status != b->status) return a->status == Status::invalid;
    return a->cases.size() > b->cases.size();
  });
  std::string text = fmt::format("Not measured: {} {} skipped, {} invalid.\n", skipped,
                                 plural(static_cast<int>(skipped), "case"), invalid);
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
    std::string line = fmt::format("  {} {}: {}", reasons[i]->cases.size(),
                                   model::name_of(reasons[i]->status), reasons[i]->reason);
    while (width_of(line) > sentence_columns()) line = line.substr(0, line.rfind(' ')) + "…";
    text += line + "\n";
  }
  if (reasons.size() > most)
    text += fmt::format("  and {} more {}\n", reasons.size() - most,
                        plural(static_cast<std::int64_t>(reasons.size() - most), "reason"));
  return text;
}

std::string text_of(const ShownTable& table) {
  std::string text = blocks_text(table.labels, table.blocks);
  if (text.empty()) return text;
  if (!table.note.empty()) text += "  " + table.note + "\n";
  return table.title.empty() ? text : table.title + "\n" + text + "\n";
}

}  // namespace

std::string machine_text(const ShownFolder& shown) {
  std::string text;
  if (shown.machine) {
    const RecordedMachine& machine = *shown.machine;
    std::set<std::size_t> sizes;
    std::size_t cores = 0;
    for (const machines::Cluster& cluster : machine.clusters) {
      sizes.insert(cluster.cores.size());
      cores += cluster.cores.size();
    }
    if (!machine.cpu_model.empty()) text += machine.cpu_model + ", ";
    text += count_text(std::ssize(machine.clusters), "cluster");
    if (cores > 0) {
      const auto count = static_cast<std::int64_t>(sizes.size() == 1 ? *sizes.begin() : cores);
      text += (sizes.size() == 1 ? " of " : ", ") + count_text(count, "core");
    }
    text += ", " + count_text(std::ssize(machine.nodes), "memory node");
  }
  if (!shown.when.empty()) text += (text.empty() ? "measured " : "; measured ") + shown.when;
  return text;
}

std::string head_text(const ShownFolder& shown) {
  const std::string machine = machine_text(shown);
  std::string text = folded(machine.empty() ? shown.name : shown.name + ": " + machine, 2);
  for (const std::string& remark : shown.remarks) text += folded(remark);
  return text;
}

std::string screen_text(const ShownFolder& shown) {
  if (shown.roofs.roofs.empty()) return {};
  const ShownMatrix matrix = matrix_of(shown);
  const std::vector<ShownLine> lines = lines_of(shown);
  std::string text = text_of(matrix_table(matrix)) + text_of(summary_table(lines, core_kinds(shown.machine)));
  if (const std::vector<std::string> words = unknown_words(shown, lines); !words.empty())
    text += folded(fmt::format("Not known: {}.", fmt::join(words, "; ")), 2);
  return text + "\n" + folded(conditions_of(matrix, lines)) + disturbance_text(shown);
}

std::string unknown_text(const ShownFolder& shown) {
  std::string text;
  for (const ShownLine& line : lines_of(shown)) {
    if (is_known(line) || shown.roofs.roofs.empty()) continue;
    std::vector<Roof> figures = line.figures;
    figures.insert(figures.end(), line.latencies.begin(), line.latencies.end());
    const std::string why = figures.empty() ? "no figure is recorded"
                                            : fmt::format("{}: {}", model::name_of(figures.front().status),
                                                          sentence(figures.front().reason));
    text += folded(fmt::format("  {}: {}", line.words, why), 4);
  }
  if (shown.machine && !shown.machine->not_published.empty())
    text += folded(
        fmt::format("  The source does not give: {}.", fmt::join(shown.machine->not_published, "; ")), 4);
  return text.empty() ? "" : "Not known\n" + text + "\n";
}

}  // namespace gable::cli
