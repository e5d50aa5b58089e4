#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/json.hpp"
#include "cli/kmaf/replay/output.hpp"
#include "kmaf/replay/paper.hpp"
#include "model/records/records.hpp"

namespace gable::cli {

namespace {

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
