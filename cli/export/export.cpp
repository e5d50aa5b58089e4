#include "cli/export/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <utility>

#include "base/error.hpp"
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
#include "model/json/case.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

// A field as RFC 4180 has it.
std::string csv_quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string csv_line(const model::Roof& roof) {
  const model::Case& spec = roof.spec;
  const bool ok = roof.status == model::Status::ok;
  const std::string interval = ok && model::has_interval(roof) ? fmt::format("{},{}", roof.lo, roof.hi) : ",";
  const std::string figures = (ok ? fmt::format("{}", roof.value) : "") + "," + interval;
  const std::string load = ok && has_load(spec.kind) ? fmt::format("{}", roof.load_gb_per_s) : "";
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     spec.cluster, csv_quoted(name_of(spec.kind)), csv_quoted(spec.level.name()),
                     csv_quoted(name_of(spec.pattern)), spec.node < 0 ? "" : std::to_string(spec.node),
                     csv_quoted(name_of(spec.tier)), csv_quoted(spec.op.name()), csv_quoted(spec.kernel),
                     csv_quoted(name_of(spec.precision)), csv_quoted(name_of(spec.pages)), spec.threads,
                     spec.smt, spec.bytes, spec.load_percent, figures, csv_quoted(roof.unit), roof.n, load,
                     model::name_of(roof.status), csv_quoted(sentence(roof.reason)), csv_quoted(roof.source),
                     roof.clock_ghz > 0 ? fmt::format("{}", roof.clock_ghz) : "",
                     csv_quoted(joined_sentences(roof.remarks)), roof.other_state);
}

std::string csv_of(const model::Roofs& roofs) {
  std::string text =
      "cluster,kind,level,pattern,node,tier,op,kernel,precision,pages,threads,smt,bytes,load_percent,value,"
      "lo,hi,unit,n,"
      "load_gb_per_s,status,reason,source,clock_ghz,remark,other_state\n";
  for (const model::Roof& roof : roofs.roofs) text += csv_line(roof);
  for (const model::Roof& roof : roofs.ladder) text += csv_line(roof);
  return text;
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
