#include "cli/place_records.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/folder.hpp"
#include "cli/place_table.hpp"
#include "model/placed_json.hpp"

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
  const std::string name = std::filesystem::path(graph).filename();
  std::erase_if(all, [&](const model::Placed& placed) {
    return (!workload.empty() && placed.workload != workload) ||
           (!name.empty() && placed.graph != name && placed.graph != name + "-directed" &&
            placed.graph != name + "-undirected");
  });
  if (all.empty()) throw UsageError(path + ": no such placements; `gable place DIR --bench …` makes them");
  print_placements(all, json);
}

void require_same_graph(const std::string& path, const std::string& name, std::uint64_t vertices,
                        std::uint64_t edges) {
  for (const model::Placed& placed : model::read_placements(path)) {
    if (placed.graph != name || placed.vertices == 0) continue;
    if (placed.vertices == vertices && placed.edges == edges) continue;
    throw UsageError(fmt::format(
        "--graph: {} has placements of another graph {} ({} vertices, {} edges; this one: {} and {}): give "
        "the file another name, or place into another folder",
        path, name, placed.vertices, placed.edges, vertices, edges));
  }
}

}  // namespace gable::cli
