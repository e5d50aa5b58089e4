#include "kmaf/replay/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/records/records.hpp"

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
std::optional<std::vector<double>> shares(const ReplayResult& result, const ReplayResult::OfPolicy& policy,
                                          const Measure& measure) {
  const auto& base = result.policies.front().outcomes;
  std::vector<double> values;
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double under_os = measure(base[i]);
    if (!(under_os > 0)) return {};
    values.push_back(measure(policy.outcomes[policy.deterministic ? 0 : i]) / under_os);
  }
  return values;
}

// The mean over the programs, run by run.
std::optional<kmaf::Summary> mean_share(const std::vector<ReplayResult>& programs, std::size_t policy,
                                        const Measure& measure) {
  std::vector<double> sums;
  for (const ReplayResult& program : programs) {
    const auto values = shares(program, program.policies[policy], measure);
    if (!values) return {};
    sums.resize(values->size());
    for (std::size_t run = 0; run < sums.size(); ++run) sums[run] += (*values)[run];
  }
  for (double& sum : sums) sum /= static_cast<double>(programs.size());
  return kmaf::summarize(sums);
}

struct NamedMeasure {
  const char* name;
  const char* json_name;
  double (*measure)(const Outcome&);
  bool needs_energy;
};
constexpr NamedMeasure compared[] = {{"time", "time_ratio", seconds, false},
                                     {"L3 misses", "l3_miss_ratio", l3_misses, false},
                                     {"link traffic", "link_traffic_ratio", link_bytes, false},
                                     {"energy", "energy_ratio", joules, true}};

std::string text(const std::optional<kmaf::Summary>& summary) {
  if (!summary) return "      –      ";
  if (!summary->has_interval()) return fmt::format("{:6.3f} ±?    ", summary->value);
  return fmt::format("{:6.3f} ±{:5.3f}", summary->value, summary->hi - summary->value);
}

nlohmann::ordered_json json_of(const std::optional<kmaf::Summary>& summary) {
  if (!summary) return nullptr;
  if (!summary->has_interval()) return {{"value", summary->value}, {"lo", nullptr}, {"hi", nullptr}};
  return {{"value", summary->value}, {"lo", summary->lo}, {"hi", summary->hi}};
}

// Where every run is the same, one is as good as all.
nlohmann::ordered_json seconds_json(const ReplayResult::OfPolicy& policy, int runs) {
  kmaf::Summary summary = of(policy.outcomes, seconds);
  if (policy.deterministic) summary.runs = std::max(runs, 2);
  return json_of(summary);
}

nlohmann::ordered_json json_of(const std::vector<RatioToOs>& ratios, std::string_view name,
                               std::size_t policy) {
  for (const RatioToOs& ratio : ratios) {
    if (ratio.name == name) return json_of(ratio.of_policy[policy]);
  }
  return nullptr;
}

double mean(const std::vector<Outcome>& runs, const Measure& measure) {
  return of(runs, measure).value;
}

}  // namespace

std::vector<RatioToOs> ratios_to_os(const ReplayResult& result) {
  return mean_ratios_to_os({result});
}

std::vector<RatioToOs> mean_ratios_to_os(const std::vector<ReplayResult>& programs) {
  std::vector<RatioToOs> ratios;
  for (const NamedMeasure& each : compared) {
    if (each.needs_energy && !programs.front().has_energy) continue;
    ratios.push_back({each.name, {}});
    for (std::size_t policy = 0; policy < programs.front().policies.size(); ++policy)
      ratios.back().of_policy.push_back(mean_share(programs, policy, each.measure));
  }
  return ratios;
}

std::string runs_text(int runs) {
  return runs == 1 ? "1 run, which has no interval" : fmt::format("{} runs with 95 % intervals", runs);
}

void print_table(const ReplayResult& result) {
  fmt::print(
      "{} on {}: {} threads, {} accesses to lines of {} pages; a program of {:g} s, one access stands for "
      "{:.3g}\n\n",
      result.trace, result.machine, result.threads, result.accesses, result.pages, result.program_seconds,
      result.scale);
  fmt::print("  {:<13} {:>9}  {:<14} {:<14} {:<14} {}{:>7}  {:>8}\n", "policy", "seconds", "time",
             "L3 misses", "link traffic", result.has_energy ? "energy         " : "", "local", "overhead");
  const std::vector<RatioToOs> ratios = ratios_to_os(result);
  for (std::size_t i = 0; i < result.policies.size(); ++i) {
    const auto& policy = result.policies[i];
    fmt::print("  {:<13} {:>9.3f}  ", policy.name, mean(policy.outcomes, seconds));
    for (const RatioToOs& ratio : ratios) fmt::print("{}  ", text(ratio.of_policy[i]));
    fmt::print("{:>6.1f}%  {:>7.2f}%\n", mean(policy.outcomes, local_percent),
               mean(policy.outcomes, overhead));
  }
  fmt::print(
      "\nRelative to the OS, run by run: {} (compact and oracle are the same in each). local: L3 misses that "
      "the\nnode's own memory answered. overhead: share of the threads' time that managing took.\n",
      runs_text(result.runs));
  if (!result.no_mapper.empty()) fmt::print("Threads were not mapped: {}.\n", result.no_mapper);
}

void print_programs(const std::vector<ReplayResult>& programs) {
  const ReplayResult& first = programs.front();
  std::size_t width = std::string_view("mean link traffic").size();
  for (const ReplayResult& program : programs) width = std::max(width, program.name.size());
  fmt::print("Time relative to the OS on {}, {}\n\n  {:<{}}", first.machine, runs_text(first.runs), "program",
             width);
  for (const auto& policy : first.policies) fmt::print("  {:<13}", policy.name);
  for (const ReplayResult& program : programs) {
    fmt::print("\n  {:<{}}", program.name, width);
    const RatioToOs time = ratios_to_os(program).front();
    for (const auto& summary : time.of_policy) fmt::print("  {}", text(summary));
  }
  fmt::print("\n");
  for (const RatioToOs& ratio : mean_ratios_to_os(programs)) {
    fmt::print("\n  {:<{}}", "mean " + ratio.name, width);
    for (const auto& summary : ratio.of_policy) fmt::print("  {}", text(summary));
  }
  fmt::print("\n");
  if (!first.no_mapper.empty()) fmt::print("\nThreads were not mapped: {}.\n", first.no_mapper);
}

namespace {

nlohmann::ordered_json json_of(const ReplayResult& result) {
  nlohmann::ordered_json document{{"schema", model::schema},     {"trace", result.trace},
                                  {"machine", result.machine},   {"threads", result.threads},
                                  {"accesses", result.accesses}, {"pages", result.pages},
                                  {"runs", result.runs},         {"program_seconds", result.program_seconds},
                                  {"scale", result.scale}};
  if (!result.no_mapper.empty()) document["threads_not_mapped"] = result.no_mapper;
  auto& policies = document["policies"] = nlohmann::ordered_json::array();
  const std::vector<RatioToOs> ratios = ratios_to_os(result);
  for (std::size_t i = 0; i < result.policies.size(); ++i) {
    const auto& policy = result.policies[i];
    const auto& runs = policy.outcomes;
    const auto ratio = [&](std::string_view name) { return json_of(ratios, name, i); };
    const auto total = [&](auto member) {
      return mean(runs, [&](const Outcome& run) { return static_cast<double>(run.policy.*member); });
    };
    policies.push_back(
        {{"policy", policy.name},
         {"deterministic", policy.deterministic},
         {"seconds", seconds_json(policy, result.runs)},
         {"time_ratio", ratio("time")},
         {"l3_miss_ratio", ratio("L3 misses")},
         {"link_traffic_ratio", ratio("link traffic")},
         {"energy_ratio", ratio("energy")},
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
  return document;
}

}  // namespace

void print_json(const std::vector<ReplayResult>& programs) {
  if (programs.size() == 1) {
    fmt::print("{}\n", json_of(programs.front()).dump());
    return;
  }
  nlohmann::ordered_json document{{"schema", model::schema}};
  for (const ReplayResult& program : programs) document["replays"].push_back(json_of(program));
  const std::vector<RatioToOs> means = mean_ratios_to_os(programs);
  for (std::size_t i = 0; i < programs.front().policies.size(); ++i) {
    nlohmann::ordered_json row{{"policy", programs.front().policies[i].name}};
    for (const NamedMeasure& each : compared) row[each.json_name] = json_of(means, each.name, i);
    document["means"].push_back(row);
  }
  fmt::print("{}\n", document.dump());
}

}  // namespace gable::cli
