#include "cli/export/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/tables/csv.hpp"
#include "base/whole_file.hpp"
#include "cli/export/openmetrics.hpp"
#include "cli/folder.hpp"
#include "cli/recorded_machine.hpp"
#include "cli/text/message.hpp"
#include "cli/text/shell_words.hpp"
#include "machines/attributes.hpp"
#include "machines/host.hpp"
#include "model/c2c/matrix.hpp"
#include "model/json/c2c/c2c.hpp"
#include "model/records/record_row.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

// The table has every roof and every step of the ladder. `lo` and `hi` are empty if there is no interval.
std::string csv_of(const model::Roofs& roofs) {
  const std::vector<std::string>& names = model::roof_columns();
  Table table{"", columns(names)};
  for (const std::vector<model::Roof>* part : {&roofs.roofs, &roofs.ladder}) {
    for (const model::Roof& roof : *part) {
      table.rows.push_back(model::roof_row(roof));
      if (model::has_interval(roof)) continue;
      for (const char* const end : {"lo", "hi"})
        table.rows.back()[static_cast<std::size_t>(std::ranges::find(names, end) - names.begin())] = Cell();
    }
  }
  return csv_text(table);
}

// What one cluster alone gets from one node: its best load bandwidth and idle latency.
machines::Attribute attribute_of(const model::Roofs& roofs, int cluster, int node) {
  machines::Attribute attribute = {cluster, static_cast<unsigned>(node), {}, {}};
  for (const model::Pattern pattern : {model::Pattern::local, model::Pattern::remote}) {
    model::Case like;
    like.cluster = cluster;
    like.node = node;
    like.level = model::Level::memory();
    like.pattern = pattern;
    like.kind = model::Kind::bandwidth;
    like.op = model::operations::load;
    if (const model::Roof* roof = model::best_roof(roofs.roofs, like)) attribute.gb_per_s = roof->value;
    like.kind = model::Kind::latency;
    like.op = model::operations::chase;
    if (const model::Roof* roof = model::best_roof(roofs.roofs, like)) attribute.ns = roof->value;
  }
  return attribute;
}

std::string hwloc_of(const std::string& folder, const model::Roofs& roofs) {
  std::set<std::pair<int, int>> pairs;
  for (const model::Roof& roof : roofs.roofs) pairs.emplace(roof.spec.cluster, roof.spec.node);
  std::vector<machines::Attribute> measured;
  for (const auto& [cluster, node] : pairs) {
    if (node < 0) continue;
    const machines::Attribute attribute = attribute_of(roofs, cluster, node);
    if (attribute.gb_per_s || attribute.ns) measured.push_back(attribute);
  }
  if (measured.empty()) {
    throw Error::usage(
        file_in(folder, "roofs.json") +
        ": no local or remote load bandwidth nor idle latency of a memory node; measure them first");
  }
  return machines::with_measured_attributes(file_in(folder, "topology.xml"), measured);
}

// A row for each core, by its first hardware thread; empty where no pair was measured.
std::string c2c_matrix_of(const std::string& folder) {
  const std::string path = file_in(folder, "c2c.jsonl");
  const auto figures = model::c2c_figures(model::read_c2c_samples(path));
  const auto machine = recorded_machine(folder);
  if (figures.empty() || !machine)
    throw Error::usage(fmt::format("{}: no figures between cores; `gable measure {} --only c2c` adds them",
                                   path, shell_quoted(folder)));
  std::vector<model::PuGroup> cores;
  for (const machines::Cluster& cluster : machine->clusters)
    for (const machines::Core& core : cluster.cores) cores.push_back({core.pus.front()});
  std::string text;
  for (const auto& row : model::c2c_matrix(figures, model::C2cMeasure::handoff, cores)) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += (column == 0 ? "" : ",") + (std::isnan(row[column]) ? "" : fmt::format("{}", row[column]));
    text += "\n";
  }
  return text;
}

std::string text_of(const ExportArguments& arguments) {
  if (arguments.c2c) return c2c_matrix_of(arguments.folder);
  if (arguments.openmetrics) return openmetrics_of(read_folder(arguments.folder));
  const model::Roofs roofs = roofs_of(arguments.folder);
  if (arguments.hwloc && is_emulated(arguments.folder))
    tell(fmt::format("{}; hwloc will take the figures for speeds", machines::emulated_note));
  return arguments.csv ? csv_of(roofs) : hwloc_of(arguments.folder, roofs);
}

}  // namespace

void export_roofs(const ExportArguments& arguments) {
  if (arguments.csv + arguments.hwloc + arguments.c2c + arguments.openmetrics != 1)
    throw Error::usage("export: choose one of --csv, --hwloc, --c2c and --openmetrics");
  const std::string text = text_of(arguments);
  if (arguments.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    write_whole(arguments.output, text);
  }
}

}  // namespace gable::cli
