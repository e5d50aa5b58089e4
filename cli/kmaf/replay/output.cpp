#include "cli/kmaf/replay/replay.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json.hpp"
#include "kmaf/replay/result.hpp"
#include "model/records/point.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

namespace {

using kmaf::RatioToOs;
using kmaf::ReplayResult;

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

Json json_of(const std::optional<kmaf::Summary>& summary) {
  if (!summary) return nullptr;
  if (!summary->has_interval()) return {{"value", summary->value}, {"lo", nullptr}, {"hi", nullptr}};
  return {{"value", summary->value}, {"lo", summary->lo}, {"hi", summary->hi}};
}

// Every ratio of one policy, or null.
void put_ratios(const std::vector<kmaf::RatioToOs>& ratios, std::size_t policy, Json& into) {
  using Field = std::pair<const char*, std::string_view>;
  constexpr Field l3{"l3_miss_ratio", "L3 misses"}, l2{"l2_miss_ratio", "L2 misses"};
  const bool has_l3 = std::ranges::find(ratios, l2.second, &kmaf::RatioToOs::name) == ratios.end();
  const Field fields[] = {{"time_ratio", "time"},
                          has_l3 ? l3 : l2,
                          {"link_traffic_ratio", "link traffic"},
                          {"energy_ratio", "energy"}};
  for (const auto& [field, name] : fields) {
    into[field] = nullptr;
    for (const kmaf::RatioToOs& ratio : ratios) {
      if (ratio.name == name) into[field] = json_of(ratio.of_policy[policy]);
    }
  }
}

Json json_of(const kmaf::ReplayResult& result, std::size_t number,
             const std::vector<kmaf::RatioToOs>& ratios) {
  const auto& policy = result.policies[number];
  const kmaf::OutcomeMeans means = kmaf::means_of(policy);
  Json json{{"policy", policy.name},
            {"deterministic", policy.deterministic},
            {"seconds", json_of(kmaf::seconds_of(policy, result.runs))}};
  put_ratios(ratios, number, json);
  json[fmt::format("l{}_misses", result.last_cache)] = means.misses;
  json["link_bytes"] = means.link_bytes;
  json["joules"] = result.has_energy ? Json(means.joules) : Json(nullptr);
  json["local_percent"] = means.local_percent;
  json["cpu_seconds"] = means.cpu_seconds;
  json["overhead_percent"] = means.overhead_percent;
  json["overhead_seconds"] = {{"faults", means.overhead.faults},
                              {"mapping", means.overhead.mapping},
                              {"page_moves", means.overhead.page_moves},
                              {"task_moves", means.overhead.task_moves}};
  json["samples"] = means.samples;
  json["pages_moved"] = means.pages_moved;
  json["tasks_moved"] = means.tasks_moved;
  json["access"] = Json::array();
  for (const model::NodeAccess& access : means.access)
    json["access"].push_back({{"node", access.node},
                              {"cluster", access.cluster},
                              {"load_bytes", access.load},
                              {"store_bytes", access.store}});
  return json;
}

Json json_of(const kmaf::ReplayResult& result) {
  Json document{{"schema", model::schema},
                {"trace", result.trace},
                {"machine", result.machine},
                {"threads", result.threads},
                {"accesses", result.accesses},
                {"pages", result.pages},
                {"runs", result.runs},
                {"program_seconds", result.program_seconds},
                {"scale", result.scale},
                {"steady_accesses", result.steady_accesses},
                {"iterations", result.iterations}};
  if (!result.no_mapper.empty()) document["threads_not_mapped"] = result.no_mapper;
  if (!result.oracle_knows.empty()) document["oracle_knows"] = result.oracle_knows;
  if (!result.between_cores.empty()) document["machine_between_cores"] = result.between_cores;
  if (!result.derived.empty()) document["machine_derived"] = result.derived;
  if (!result.unused.empty()) document["memories_without_figures"] = result.unused;
  auto& policies = document["policies"] = Json::array();
  const std::vector<kmaf::RatioToOs> ratios = kmaf::ratios_to_os(result);
  for (std::size_t i = 0; i < result.policies.size(); ++i) policies.push_back(json_of(result, i, ratios));
  return document;
}

// The paper's means of the policies of which it prints some.
Json printed_means(const std::vector<kmaf::RatioToOs>& means,
                   const std::vector<kmaf::ReplayResult::OfPolicy>& policies) {
  std::vector<kmaf::RatioToOs> printed;
  for (const kmaf::RatioToOs& mean : means) printed.push_back(kmaf::paper_means(mean.name, policies));
  Json rows = Json::array();
  for (std::size_t i = 0; i < policies.size(); ++i) {
    if (std::ranges::none_of(printed, [&](const auto& ratio) { return ratio.of_policy[i].has_value(); }))
      continue;
    Json row{{"policy", policies[i].name}};
    put_ratios(printed, i, row);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

void print_table(const ReplayResult& result) {
  fmt::print(
      "{} on {}: {} threads, {} accesses to {} pages\n"
      "  The program takes {:g} s under an OS that moves no thread, so each access stands for {:.{}f}.\n",
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
  if (any_none) fmt::print("–: in a run under the OS there is none.\n");
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

void print_json(const std::vector<kmaf::ReplayResult>& programs, bool with_paper) {
  if (programs.size() == 1 && !with_paper) {
    fmt::print("{}\n", json_text(json_of(programs.front())));
    return;
  }
  Json document{{"schema", model::schema}, {"replays", Json::array()}, {"means", Json::array()}};
  for (const kmaf::ReplayResult& program : programs) document["replays"].push_back(json_of(program));
  const std::vector<kmaf::RatioToOs> means = kmaf::mean_ratios_to_os(programs);
  for (std::size_t i = 0; i < programs.front().policies.size(); ++i) {
    Json row{{"policy", programs.front().policies[i].name}};
    put_ratios(means, i, row);
    document["means"].push_back(row);
  }
  if (with_paper) document["paper"] = printed_means(means, programs.front().policies);
  fmt::print("{}\n", json_text(document));
}

}  // namespace gable::cli
