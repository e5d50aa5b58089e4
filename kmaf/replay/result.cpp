#include "kmaf/replay/result.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/lists.hpp"
#include "base/sorting.hpp"
#include "model/statistics/statistics.hpp"

namespace gable::kmaf {

namespace {

using Measure = double (*)(const Outcome&);

double seconds(const Outcome& run) {
  return run.seconds;
}
double misses(const Outcome& run) {
  return static_cast<double>(run.counts.misses);
}
double link_bytes(const Outcome& run) {
  return run.link_bytes;
}
double joules(const Outcome& run) {
  return run.joules;
}
double local_percent(const Outcome& run) {
  if (run.counts.misses == 0) return 100;
  return 100 * static_cast<double>(run.counts.from_local) / static_cast<double>(run.counts.misses);
}

template <typename Value>
Summary summary_of(const std::vector<Outcome>& runs, const Value& value) {
  return summarize(each_of(runs, [&](const Outcome& run) { return static_cast<double>(value(run)); }));
}

// Each run divided by the same one under the OS.
std::optional<std::vector<double>> shares(const ReplayResult& result, const ReplayResult::OfPolicy& policy,
                                          Measure measure) {
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
std::optional<Summary> mean_share(const std::vector<ReplayResult>& programs, std::size_t policy,
                                  Measure measure) {
  std::vector<double> sums;
  for (const ReplayResult& program : programs) {
    const auto values = shares(program, program.policies[policy], measure);
    if (!values) return {};
    sums.resize(values->size());
    for (std::size_t run = 0; run < sums.size(); ++run) sums[run] += (*values)[run];
  }
  for (double& sum : sums) sum /= static_cast<double>(programs.size());
  return summarize(sums);
}

struct NamedMeasure {
  const char* name;  ///< nullptr: misses_name()
  Measure measure;
  bool needs_energy;
};
constexpr NamedMeasure compared[] = {{"time", seconds, false},
                                     {nullptr, misses, false},
                                     {"link traffic", link_bytes, false},
                                     {"energy", joules, true}};

// The mean over the runs, in each of which other nodes may be accessed.
std::vector<model::NodeAccess> mean_access(const std::vector<Outcome>& runs) {
  std::map<std::pair<int, int>, model::NodeAccess> mean;
  const auto count = static_cast<double>(runs.size());
  for (const Outcome& run : runs) {
    for (const model::NodeAccess& access : run.access) {
      model::NodeAccess& sum = mean[{access.cluster, access.node}];
      sum = {access.node, access.cluster, sum.load + access.load / count, sum.store + access.store / count};
    }
  }
  std::vector<model::NodeAccess> list;
  for (const auto& [unused, access] : mean) list.push_back(access);
  return list;
}

struct Printed {
  std::string_view measure, policy;
  double less_percent;  // than under the OS
};

constexpr Printed printed[] = {
    {"time", "kmaf", 13.8},      {"time", "oracle", 15.3},       {"time", "compact", 3.2},
    {"time", "random", 1.2},     {"time", "kmaf-threads", 6.4},  {"time", "kmaf-data", 2.0},
    {"L3 misses", "kmaf", 11.1}, {"link traffic", "kmaf", 19.0}, {"energy", "kmaf", 9.3},
    {"energy", "oracle", 11.1},  {"energy", "compact", 4.1},     {"energy", "random", 2.9},
};

}  // namespace

Summary summarize(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return {mean, mean, mean, 1};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double half = model::critical_t(n - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, mean - half, mean + half, static_cast<int>(values.size())};
}

std::string misses_name(const ReplayResult& result) {
  return "L" + std::to_string(result.last_cache) + " misses";
}

OutcomeMeans means_of(const ReplayResult::OfPolicy& policy) {
  const auto mean = [&](const auto& value) { return summary_of(policy.outcomes, value).value; };
  OutcomeMeans means;
  means.seconds = mean(seconds);
  means.misses = mean(misses);
  means.link_bytes = mean(link_bytes);
  means.joules = mean(joules);
  means.local_percent = mean(local_percent);
  means.cpu_seconds = mean([](const Outcome& run) { return run.cpu_seconds; });
  means.overhead_percent = mean([](const Outcome& run) { return run.overhead_percent; });
  means.overhead.faults = mean([](const Outcome& run) { return run.policy.overhead.faults; });
  means.overhead.mapping = mean([](const Outcome& run) { return run.policy.overhead.mapping; });
  means.overhead.page_moves = mean([](const Outcome& run) { return run.policy.overhead.page_moves; });
  means.overhead.task_moves = mean([](const Outcome& run) { return run.policy.overhead.task_moves; });
  means.samples = mean([](const Outcome& run) { return run.policy.samples; });
  means.pages_moved = mean([](const Outcome& run) { return run.policy.pages_moved; });
  means.tasks_moved = mean([](const Outcome& run) { return run.policy.tasks_moved; });
  means.access = mean_access(policy.outcomes);
  return means;
}

const std::vector<model::NodeAccess>& typical_access(const ReplayResult::OfPolicy& policy) {
  auto runs = each_of(policy.outcomes, [](const Outcome& run) { return &run; });
  sort_by(runs, &Outcome::seconds);
  return runs[(runs.size() - 1) / 2]->access;
}

Summary seconds_of(const ReplayResult::OfPolicy& policy, int runs) {
  Summary summary = summary_of(policy.outcomes, seconds);
  if (policy.deterministic) summary.runs = std::max(runs, 2);
  return summary;
}

std::vector<RatioToOs> ratios_to_os(const ReplayResult& result) {
  return mean_ratios_to_os({result});
}

std::vector<RatioToOs> mean_ratios_to_os(const std::vector<ReplayResult>& programs) {
  std::vector<RatioToOs> ratios;
  for (const NamedMeasure& each : compared) {
    if (each.needs_energy && !programs.front().has_energy) continue;
    ratios.push_back({each.name == nullptr ? misses_name(programs.front()) : each.name, {}});
    for (std::size_t policy = 0; policy < programs.front().policies.size(); ++policy)
      ratios.back().of_policy.push_back(mean_share(programs, policy, each.measure));
  }
  return ratios;
}

std::string runs_text(int runs) {
  return runs == 1 ? "1 run, which has no interval" : std::to_string(runs) + " runs with 95 % intervals";
}

RatioToOs paper_means(const std::string& measure, const std::vector<ReplayResult::OfPolicy>& policies) {
  RatioToOs means{measure, std::vector<std::optional<Summary>>(policies.size())};
  for (std::size_t policy = 0; policy < policies.size(); ++policy) {
    for (const Printed& each : printed) {
      if (each.measure != measure || each.policy != policies[policy].name) continue;
      const double ratio = 1 - each.less_percent / 100;
      means.of_policy[policy] = Summary{ratio, ratio, ratio, 1};
    }
  }
  return means;
}

}  // namespace gable::kmaf
