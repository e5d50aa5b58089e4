// The roofline charts of a cluster.

#include <fmt/format.h>

#include <utility>

#include "plots/charts/charts.hpp"
#include "plots/charts/larm/frame.hpp"

namespace gable::charts {

Chart larm_chart(const Recorded& recorded, int cluster) {
  RooflineView view{fmt::format("larm-{}{}", cluster, op_suffix(recorded)), "Locality-Aware Roofline", ""};
  view.with_validation = true;
  view.points = points_of_cluster(recorded, cluster);
  return roofline(recorded, cluster, std::move(view));
}

Chart functions_chart(const Recorded& recorded, int cluster) {
  RooflineView view{
      fmt::format("functions-{}{}", cluster, op_suffix(recorded)), "Functions under the roofs",
      " Rings: functions, by the bytes of the level that each needs most; area and %: part of the "
      "time of its program, as it was measured, or as the largest needs of all functions share it. "
      "Functions below 5 % are left out."};
  view.points = functions_of_cluster(recorded, cluster);
  view.columns = {"share_percent"};
  if (view.points.drawn.empty())
    return omitted_chart(view.name, "no point has functions with flops whose bytes by level are known");
  return roofline(recorded, cluster, std::move(view));
}

Chart accesses_chart(const Recorded& recorded, int cluster) {
  RooflineView view{fmt::format("accesses-{}{}", cluster, op_suffix(recorded)), "Accesses under the roofs",
                    " Programs without flops: their loads and stores, by the bytes of each level.",
                    accesses_quantity};
  view.points = accesses_of_cluster(recorded, cluster);
  if (view.points.drawn.empty()) return omitted_chart(view.name, "no program without flops has a profile");
  return roofline(recorded, cluster, std::move(view));
}

}  // namespace gable::charts
