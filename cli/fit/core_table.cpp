#include "cli/fit/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/text/columns.hpp"
#include "machines/machine.hpp"
#include "model/records/names.hpp"
#include "model/records/question.hpp"
#include "model/roofs/per_cycle.hpp"

namespace gable::cli {
namespace {

using machines::PerCycle;
using model::Roof;

constexpr std::pair<const char*, double PerCycle::*> rate_columns[] = {{"load", &PerCycle::load},
                                                                       {"store", &PerCycle::store},
                                                                       {"add", &PerCycle::add},
                                                                       {"mul", &PerCycle::mul},
                                                                       {"fma", &PerCycle::fma}};

// Rates by ISA and operation, in double precision. The rate is that of the roof that counts, as everywhere.
using Measured = std::map<std::string, std::map<std::string, model::Rank>>;

Measured measured_of(const std::vector<Roof>& roofs, int cluster) {
  Measured measured;
  for (const Roof& roof : roofs) {
    const auto rate = model::instructions_per_cycle(roof);
    if (!rate || roof.spec.cluster != cluster || roof.spec.precision == model::Precision::sp) continue;
    model::Rank rank = rank_of(roof);
    rank.value = *rate;
    const auto [best, is_new] =
        measured[model::isa_of(roof.spec.kernel)].try_emplace(roof.spec.op.name(), rank);
    if (!is_new && is_better(rank, best->second)) best->second = rank;
  }
  return measured;
}

std::string cores_text(const machines::Cluster* cluster) {
  if (cluster == nullptr) return {};
  return (cluster->kind.empty() ? "" : ", " + cluster->kind + " cores") +
         (cluster->core.empty() ? "" : ", " + cluster->core);
}

Row measured_row(const std::string& isa, const std::map<std::string, model::Rank>& rates) {
  Row row = {isa, "measured"};
  for (const auto& [op, unused] : rate_columns)
    row.emplace_back(rates.contains(op) ? fmt::format("{:.2f}", rates.at(op).value) : "-");
  return row;
}

Row theory_row(const std::string& core, const std::string& isa) {
  Row row = {"", "in theory"};
  const std::vector<PerCycle> known = machines::per_cycle(core);
  const auto rates = std::ranges::find(known, isa, &PerCycle::isa);
  for (const auto& [op, column] : rate_columns)
    row.emplace_back(rates == known.end() ? "?" : fmt::format("{:g}", *rates.*column));
  return row;
}

// What the source of a published machine says.
std::string published_table(const std::vector<RecordedMachine::PerCycle>& rates) {
  if (rates.empty()) return {};
  Table table{fmt::format("Instructions per cycle of one core ({}; ?: not published)", rates.front().source),
              columns({""}),
              {{"measured"}, {"in theory"}},
              {}};
  for (const auto& [op, unused] : rate_columns) {
    table.add_column(op);
    for (const bool measured : {true, false}) {
      const auto is_it = [&](const RecordedMachine::PerCycle& rate) {
        return rate.op == op && rate.measured == measured;
      };
      const auto rate = std::ranges::find_if(rates, is_it);
      table.rows[measured ? 0 : 1].emplace_back(
          rate == rates.end() ? "?" : fmt::format("{:g}", rate->instructions));
    }
  }
  return table_text(table);
}

}  // namespace

std::string core_table(const model::Roofs& roofs, const RecordedMachine* machine) {
  std::map<int, Measured> clusters;
  for (const Roof& roof : roofs.roofs) clusters.try_emplace(roof.spec.cluster);
  std::string text;
  for (auto& [index, measured] : clusters) {
    measured = measured_of(roofs.roofs, index);
    if (measured.empty()) continue;
    const machines::Cluster* cluster = machine != nullptr ? machine->cluster(index) : nullptr;
    Table table{
        fmt::format("Instructions per cycle of one core, cluster {}{} (-: not measured, ?: not known)", index,
                    cores_text(cluster)),
        columns({"ISA", ""})};
    for (const auto& [op, unused] : rate_columns) table.add_column(op);
    for (const auto& [isa, rates] : measured) {
      table.rows.push_back(measured_row(isa, rates));
      table.rows.push_back(theory_row(cluster == nullptr ? "" : cluster->core, isa));
    }
    text += table_text(table);
  }
  return text.empty() && machine != nullptr ? published_table(machine->per_cycle) : text;
}

}  // namespace gable::cli
