#include "cli/compare/compared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/folder.hpp"
#include "cli/text/columns.hpp"
#include "cli/virt/tables.hpp"
#include "model/records/names.hpp"
#include "model/virt/paging.hpp"
#include "plots/charts/virt/charts.hpp"

namespace gable::cli {
namespace {

using model::VirtSummary;

// The first folder is the native one if no hypervisor shows itself in it.
const VirtSummary* native_of(const Compared& compared) {
  const VirtSummary& first = compared.sides.front().virt;
  return model::paging_of(first, nullptr).kind == model::PagingKind::native ? &first : nullptr;
}

Table environments_table(const Compared& compared) {
  Table table{"Environments", columns({""})};
  std::vector<std::string> names;
  for (const Side& side : compared.sides) {
    table.add_column(side.label, false);
    for (const auto& [name, unused] : side.virt.facts) add_once(names, name);
  }
  for (const std::string& name : names) {
    table.rows.push_back({name});
    for (const Side& side : compared.sides) {
      const auto found = side.virt.facts.find(name);
      table.rows.back().emplace_back(found == side.virt.facts.end() ? "?" : found->second);
    }
  }
  Row pagings = {"paging"}, hosts = {"host pages"};
  for (const Side& side : compared.sides) {
    const model::Paging paging = model::paging_of(side.virt, native_of(compared));
    pagings.emplace_back(side.virt.empty() ? "?" : model::paging_text(paging));
    const model::HostPages host = model::host_pages_of(side.virt);
    hosts.emplace_back(host.text.empty() ? "not known" : host.text);
    if (side.virt.empty())
      table.notes.push_back(fmt::format("{} has no figures of virtualization: {}.", side.label,
                                        measuring_advice(side.shown.folder, "virt")));
    if (side.virt.emulated())
      table.notes.push_back(side.label + " is emulated: its overheads are the emulator's.");
    if (!side.virt.empty() && !paging.why.empty() && paging.kind != model::PagingKind::native)
      table.notes.push_back(fmt::format("Paging of {}: {}.", side.label, joined_sentences(paging.why)));
  }
  table.rows.push_back(pagings);
  table.rows.push_back(hosts);
  return table;
}

// The additional time that the same takes, as a share. A lower rate means more time.
double overhead_of(double change, model::Better better) {
  return better == model::Better::lower ? change : 1 / (1 + change) - 1;
}

Cell overhead_cell(const model::Difference& difference, const model::Figure& figure) {
  const auto percent = [&](double change) { return 100 * overhead_of(change, figure.better); };
  if (!difference.not_judged.empty()) return fmt::format("{:+.1f} %", percent(difference.change));
  const double one = percent(difference.lo), other = percent(difference.hi);
  return {fmt::format("{:+.1f} %", percent(difference.change)),
          fmt::format("({:+.1f} to {:+.1f}){}", std::min(one, other), std::max(one, other),
                      difference.significant ? " *" : "")};
}

// The table has the largest working set of each page size of the ladder, and everything else.
bool is_overhead(const Compared& compared, std::size_t index) {
  const std::vector<model::Figure>& figures = compared.versus.front().first;
  if (figures[index].overhead.empty()) return false;
  return !figures[index].is_step || index + 1 == figures.size() ||
         figures[index + 1].name != figures[index].name;
}

Table overheads_table(const Compared& compared) {
  Table table{"Overheads beside " + compared.sides.front().label + ": more time for the same",
              columns({"what", "with"}, {compared.sides.front().label})};
  for (std::size_t i = 0; i < compared.versus.size(); ++i) table.add_column(compared.other(i).label);
  const std::vector<model::Figure>& figures = compared.versus.front().first;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!is_overhead(compared, i) || figures[i].status != model::Status::ok) continue;
    Row cells = {figures[i].overhead, figures[i].variant,
                 number(figures[i].estimate.value) + " " + figures[i].unit};
    bool any = false;
    for (const Versus& versus : compared.versus) {
      const model::Difference* const difference = difference_of(versus, i);
      cells.push_back(difference == nullptr ? Cell("-") : overhead_cell(*difference, figures[i]));
      any = any || difference != nullptr;
    }
    if (any) table.rows.push_back(std::move(cells));
  }
  if (!table.empty()) table.notes.emplace_back("In brackets: 95 % interval. *: significant.");
  return table;
}

Table run_times_table(const Compared& compared) {
  Table table{"Run times of the programs", columns({"program"})};
  for (const Side& side : compared.sides) table.add_column(side.label);
  for (const model::VirtFigure& figure : compared.sides.front().virt.figures) {
    if (!row_of(figure.spec.kind).has_runs) continue;
    Row cells = {name_of(figure.spec)};
    for (const Side& side : compared.sides) {
      const model::VirtFigure* const own =
          side.virt.figure(figure.spec.kind, figure.spec.what, figure.spec.pages);
      const bool same = own != nullptr && own->spec.bytes == figure.spec.bytes;
      cells.emplace_back(same ? duration_text(own->seconds) : own == nullptr ? "-" : "other size");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table noises_table(const Compared& compared) {
  Table table{
      "Noise, mean of the CPUs",
      columns({"environment"}, {"CPUs", "lost (%)", "per second", "longest", "steal"}, {"periodic source"})};
  for (const Side& side : compared.sides) {
    const std::vector<model::Noise>& noises = side.virt.noises;
    if (noises.empty()) continue;
    double rate = 0, longest = 0, steal = 0;
    const model::NoiseSource* most = nullptr;
    for (const model::Noise& noise : noises) {
      rate += noise.per_second() / static_cast<double>(noises.size());
      steal += noise.steal_percent / static_cast<double>(noises.size());
      longest = std::max(longest, noise.longest_us);
      if (!noise.sources.empty() && (most == nullptr || noise.sources[0].share > most->share))
        most = &noise.sources[0];
    }
    const std::string source = most == nullptr
                                   ? "none found"
                                   : fmt::format("{} every {}", duration_text(most->length_us * 1e-6),
                                                 duration_text(most->period_us * 1e-6));
    table.rows.push_back({side.label, std::to_string(noises.size()),
                          fmt::format("{:.4g}", 100 * side.virt.noise_share()), fmt::format("{:.0f}", rate),
                          duration_text(longest * 1e-6), fmt::format("{:.2g} %", steal), source});
    add_notes(table, side.virt, model::VirtKind::noise, side.label + ", ");
  }
  return table;
}

// The changes of the programs from the first folder, as the tables have them.
std::map<std::string, model::Difference> program_changes(const VirtSummary& first, const Versus& versus) {
  std::map<std::string, model::Difference> changes;
  for (const model::VirtFigure& program : first.figures) {
    if (program.spec.kind != model::VirtKind::program) continue;
    const auto figure =
        std::ranges::find(versus.first, virt_question(program.spec), &model::Figure::question);
    if (figure == versus.first.end()) continue;
    const auto index = static_cast<std::size_t>(figure - versus.first.begin());
    if (const model::Difference* change = difference_of(versus, index))
      changes.emplace(key(program.spec), *change);
  }
  return changes;
}

}  // namespace

std::vector<Table> compared_virt_tables(const Compared& compared) {
  const bool any = std::ranges::any_of(compared.sides, [](const Side& side) { return !side.virt.empty(); });
  if (!any) return {};
  std::vector<Table> tables = {environments_table(compared)};
  for (Table table : {overheads_table(compared), run_times_table(compared), noises_table(compared)}) {
    if (!table.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<charts::Chart> virt_charts(const Compared& compared) {
  std::vector<charts::VirtSide> sides;
  for (std::size_t i = 0; i < compared.sides.size(); ++i) {
    const Side& side = compared.sides[i];
    if (side.virt.empty()) continue;
    sides.push_back({side.label, &side.virt});
    if (i > 0) sides.back().changes = program_changes(compared.sides.front().virt, compared.versus[i - 1]);
  }
  if (sides.empty()) return {};
  return {charts::virt_walks_chart(sides), charts::virt_noise_chart(sides),
          charts::virt_programs_chart(sides)};
}

}  // namespace gable::cli
