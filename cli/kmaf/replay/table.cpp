#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "cli/kmaf/replay/output.hpp"
#include "kmaf/replay/paper.hpp"

namespace gable::cli {

using kmaf::RatioToOs;
using kmaf::ReplayResult;

namespace {

std::string text(const std::optional<kmaf::Summary>& summary) {
  if (!summary) return "     –       ";
  if (!summary->has_interval()) return fmt::format("{:6.3f} ±?    ", summary->value);
  return fmt::format("{:6.3f} ±{:5.3f}", summary->value, summary->hi - summary->value);
}

// "; compact and oracle are the same in each", or nothing.
std::string same_in_each(const ReplayResult& result) {
  std::vector<std::string> same;
  for (const auto& policy : result.policies) {
    if (policy.deterministic) same.push_back(policy.name);
  }
  if (same.empty()) return {};
  return fmt::format("; {} {} the same in each", fmt::join(same, " and "), same.size() == 1 ? "is" : "are");
}

}  // namespace

void print_table(const ReplayResult& result) {
  fmt::print(
      "{} on {}: {} threads, {} accesses to {} pages\n"
      "  The program takes {:g} s under the OS, so each access stands for {:.{}f}.\n",
      result.trace, result.machine, result.threads, result.accesses, result.pages, result.program_seconds,
      result.scale, result.scale < 100 ? 2 : 0);
  if (result.iterations > 1) {
    fmt::print("  It repeats the steady part, {:.0f} % of the accesses, which is simulated in {} passes.\n",
               100.0 * static_cast<double>(result.steady_accesses) / static_cast<double>(result.accesses),
               result.iterations);
  }
  fmt::print("\n  {:<13} {:>9}  {:<14} {:<14} {:<14} {}{:>7}  {:>8}\n", "policy", "seconds", "time",
             kmaf::misses_name(result), "link traffic", result.has_energy ? "energy         " : "", "local",
             "overhead");
  const std::vector<RatioToOs> ratios = kmaf::ratios_to_os(result);
  for (std::size_t i = 0; i < result.policies.size(); ++i) {
    const kmaf::OutcomeMeans means = kmaf::means_of(result.policies[i]);
    fmt::print("  {:<13} {:>9.3f}  ", result.policies[i].name, means.seconds);
    for (const RatioToOs& ratio : ratios) fmt::print("{}  ", text(ratio.of_policy[i]));
    fmt::print("{:>5.1f} %  {:>6.2f} %\n", means.local_percent, means.overhead_percent);
  }
  fmt::print(
      "\nRelative to the OS, run by run: {}{}.\nlocal: share of the {} that the node's own memory "
      "served. "
      "overhead: CPU time of management,\nrelative to the program's.\n",
      kmaf::runs_text(result.runs), same_in_each(result), kmaf::misses_name(result));
  const bool any_none = std::ranges::any_of(ratios, [](const RatioToOs& ratio) {
    return std::ranges::any_of(ratio.of_policy, [](const auto& value) { return !value.has_value(); });
  });
  if (any_none) fmt::print("–: there is none under the OS.\n");
  if (!result.oracle_knows.empty())
    fmt::print("The oracle maps threads as is best in another run, {}.\n", result.oracle_knows);
  if (!result.no_mapper.empty()) fmt::print("Threads were not mapped: {}.\n", result.no_mapper);
  if (!result.unused.empty()) {
    fmt::print("{} has no figures of the memory nodes {} without cores: no page lies there.\n",
               result.machine, fmt::join(result.unused, ", "));
  }
  if (!result.between_cores.empty())
    fmt::print("{} has figures between cores, which are used:\n", result.machine);
  for (const std::string& source : result.between_cores) fmt::print("  {}\n", source);
  if (result.derived.empty()) return;
  fmt::print("{} has no replay.json; derived from what was measured:\n", result.machine);
  for (const std::string& source : result.derived) fmt::print("  {}\n", source);
}

namespace {

// kMAF's overhead, relative to the program's CPU time (figure 12).
void print_overheads(const std::vector<ReplayResult>& programs) {
  for (std::size_t policy = 0; policy < programs.front().policies.size(); ++policy) {
    if (programs.front().policies[policy].name != "kmaf") continue;
    double sum = 0, most = 0;
    for (const ReplayResult& program : programs) {
      const double percent = kmaf::means_of(program.policies[policy]).overhead_percent;
      sum += percent;
      most = std::max(most, percent);
    }
    fmt::print(
        "\n  overhead of kmaf: {:.2f} % of the CPU time on average, at most {:.2f} % (the paper's: {} % and "
        "below 4 %)\n",
        sum / static_cast<double>(programs.size()), most, kmaf::paper_overhead_percent);
  }
  fmt::print(
      "\nThe paper's: means over {} programs on the machine itself. docs/results/kmaf-programs.md says why "
      "these "
      "differ.\n",
      kmaf::paper_programs);
}

}  // namespace

void print_programs(const std::vector<ReplayResult>& programs, bool with_paper) {
  const ReplayResult& first = programs.front();
  std::size_t width = std::string_view("mean link traffic").size();
  for (const ReplayResult& program : programs) width = std::max(width, program.name.size());
  fmt::print("Time relative to the OS on {}, {}\n\n  {:<{}}", first.machine, kmaf::runs_text(first.runs),
             "program", width);
  for (const auto& policy : first.policies) fmt::print("  {:<13}", policy.name);
  for (const ReplayResult& program : programs) {
    fmt::print("\n  {:<{}}", program.name, width);
    const RatioToOs time = kmaf::ratios_to_os(program).front();
    for (const auto& summary : time.of_policy) fmt::print("  {}", text(summary));
  }
  fmt::print("\n");
  for (const RatioToOs& ratio : kmaf::mean_ratios_to_os(programs)) {
    fmt::print("\n  {:<{}}", "mean " + ratio.name, width);
    for (const auto& summary : ratio.of_policy) fmt::print("  {}", text(summary));
    if (!with_paper) continue;
    fmt::print("\n  {:<{}}", "  the paper's", width);
    for (const auto& summary : kmaf::paper_means(ratio.name, first.policies).of_policy)
      fmt::print("  {:<13}", summary ? fmt::format("{:6.3f}", summary->value) : "     –");
  }
  fmt::print("\n");
  if (with_paper) print_overheads(programs);
  if (!first.no_mapper.empty()) fmt::print("\nThreads were not mapped: {}.\n", first.no_mapper);
}

}  // namespace gable::cli
