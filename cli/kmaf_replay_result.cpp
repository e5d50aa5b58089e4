#include "cli/kmaf_replay_result.hpp"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "model/records.hpp"

namespace gable::cli {

namespace {

using kmaf::Outcome;
using Measure = std::function<double(const Outcome&)>;

double seconds(const Outcome& run) {
  return run.seconds;
}
double l3_misses(const Outcome& run) {
  return static_cast<double>(run.counts.l3_misses);
}
double link_bytes(const Outcome& run) {
  return run.link_bytes;
}
double joules(const Outcome& run) {
  return run.joules;
}
double overhead(const Outcome& run) {
  return run.overhead_percent;
}
// Of the accesses that went beyond the node's caches, those that its own memory answered.
double local_percent(const Outcome& run) {
  return run.counts.l3_misses == 0
             ? 100
             : 100 * static_cast<double>(run.counts.from_local) / static_cast<double>(run.counts.l3_misses);
}

kmaf::Summary of(const std::vector<Outcome>& runs, const Measure& measure) {
  std::vector<double> values;
  for (const Outcome& run : runs) values.push_back(measure(run));
  return kmaf::summarize(values);
}

// Run by run as a share of the OS's run with the same seed. Where the OS has none of it, nothing can be said.
std::optional<kmaf::Summary> ratio(const ReplayResult& result, const ReplayResult::OfPolicy& policy,
                                   const Measure& measure) {
  const auto& base = result.policies.front().outcomes;
  std::vector<double> values;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double under_os = measure(base[i]);
    if (!(under_os > 0)) return {};
    values.push_back(measure(policy.outcomes[policy.deterministic ? 0 : i]) / under_os);
  }
  return kmaf::summarize(values);
}

std::string text(const std::optional<kmaf::Summary>& summary) {
  return summary ? fmt::format("{:6.3f} ±{:5.3f}", summary->value, summary->hi - summary->value)
                 : "      –      ";
}

nlohmann::ordered_json json_of(const std::optional<kmaf::Summary>& summary) {
  if (!summary) return nullptr;
  return {{"value", summary->value}, {"lo", summary->lo}, {"hi", summary->hi}};
}

double mean(const std::vector<Outcome>& runs, const Measure& measure) {
  return of(runs, measure).value;
}

}  // namespace

std::vector<RatioToOs> ratios_to_os(const ReplayResult& result) {
  std::vector<RatioToOs> ratios;
  const auto add = [&](const char* name, const Measure& measure) {
    ratios.push_back({name, {}});
    for (const auto& policy : result.policies)
      ratios.back().of_policy.push_back(ratio(result, policy, measure));
  };
  add("time", seconds);
  add("L3 misses", l3_misses);
  add("link traffic", link_bytes);
  if (result.has_energy) add("energy", joules);
  return ratios;
}

void print_table(const ReplayResult& result) {
  fmt::print(
      "{} on {}: {} threads, {} accesses to lines of {} pages; a program of {:g} s, one access stands for "
      "{:.3g}\n\n",
      result.trace, result.machine, result.threads, result.accesses, result.pages, result.program_seconds,
      result.scale);
  fmt::print("  {:<13} {:>9}  {:<14} {:<14} {:<14} {}{:>7}  {:>8}\n", "policy", "seconds", "time",
             "L3 misses", "link traffic", result.has_energy ? "energy         " : "", "local", "overhead");
  for (const auto& policy : result.policies) {
    fmt::print("  {:<13} {:>9.3f}  {}  {}  {}  {}{:>6.1f}%  {:>7.2f}%\n", policy.name,
               mean(policy.outcomes, seconds), text(ratio(result, policy, seconds)),
               text(ratio(result, policy, l3_misses)), text(ratio(result, policy, link_bytes)),
               result.has_energy ? text(ratio(result, policy, joules)) + "  " : "",
               mean(policy.outcomes, local_percent), mean(policy.outcomes, overhead));
  }
  fmt::print(
      "\nRelative to the OS, run by run, with 95 % intervals ({} run{}; compact and oracle are the same in "
      "each). local: L3 misses that the\nnode's own memory answered. overhead: share of the threads' time "
      "that managing took.\n",
      result.runs, result.runs == 1 ? "" : "s");
  if (!result.no_mapper.empty()) fmt::print("Threads were not mapped: {}.\n", result.no_mapper);
}

void print_json(const ReplayResult& result) {
  nlohmann::ordered_json document{{"schema", model::schema},     {"trace", result.trace},
                                  {"machine", result.machine},   {"threads", result.threads},
                                  {"accesses", result.accesses}, {"pages", result.pages},
                                  {"runs", result.runs},         {"program_seconds", result.program_seconds},
                                  {"scale", result.scale}};
  if (!result.no_mapper.empty()) document["threads_not_mapped"] = result.no_mapper;
  auto& policies = document["policies"] = nlohmann::ordered_json::array();
  for (const auto& policy : result.policies) {
    const auto& runs = policy.outcomes;
    const auto total = [&](auto member) {
      return mean(runs, [&](const Outcome& run) { return static_cast<double>(run.policy.*member); });
    };
    policies.push_back(
        {{"policy", policy.name},
         {"deterministic", policy.deterministic},
         {"seconds", json_of(of(runs, seconds))},
         {"time_ratio", json_of(ratio(result, policy, seconds))},
         {"l3_miss_ratio", json_of(ratio(result, policy, l3_misses))},
         {"link_traffic_ratio", json_of(ratio(result, policy, link_bytes))},
         {"energy_ratio", result.has_energy ? json_of(ratio(result, policy, joules)) : nullptr},
         {"l3_misses", mean(runs, l3_misses)},
         {"link_bytes", mean(runs, link_bytes)},
         {"joules", result.has_energy ? nlohmann::ordered_json(mean(runs, joules)) : nullptr},
         {"local_percent", mean(runs, local_percent)},
         {"overhead_percent", mean(runs, overhead)},
         {"overhead_seconds",
          {{"faults", mean(runs, [](const Outcome& run) { return run.policy.overhead.faults; })},
           {"mapping", mean(runs, [](const Outcome& run) { return run.policy.overhead.mapping; })},
           {"page_moves", mean(runs, [](const Outcome& run) { return run.policy.overhead.page_moves; })},
           {"task_moves", mean(runs, [](const Outcome& run) { return run.policy.overhead.task_moves; })}}},
         {"samples", total(&kmaf::PolicyCounts::samples)},
         {"pages_moved", total(&kmaf::PolicyCounts::pages_moved)},
         {"tasks_moved", total(&kmaf::PolicyCounts::tasks_moved)}});
  }
  fmt::print("{}\n", document.dump());
}

}  // namespace gable::cli
