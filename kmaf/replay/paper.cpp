#include "kmaf/replay/paper.hpp"

#include <string_view>

namespace gable::kmaf {

namespace {

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
