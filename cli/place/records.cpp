#include "cli/place/records.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/place/graph.hpp"
#include "cli/place/table.hpp"
#include "model/json/placed.hpp"

namespace gable::cli {

void print_placements(const std::vector<model::Placed>& all, bool json) {
  if (!json) {
    std::fputs(place_table(all).c_str(), stdout);
    return;
  }
  std::string text = "{\"schema\":1,\"placements\":[";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + model::placed_to_line(all[i]);
  fmt::print("{}\n]}}\n", text);
}

void list_placements(const std::string& folder, const std::string& workload, const std::string& graph,
                     bool json) {
  const std::string path = file_in(folder, "placements.jsonl");
  std::vector<model::Placed> all = model::read_placements(path);
  std::erase_if(all, [&](const model::Placed& placed) {
    return (!workload.empty() && placed.workload != workload) ||
           (!graph.empty() && !is_graph_of(placed.graph, graph));
  });
  if (all.empty()) throw Error::usage(path + ": no such placements; run `gable place DIR --bench …`");
  print_placements(all, json);
}

}  // namespace gable::cli
