#include <fmt/format.h>

#include "base/lists.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/profile/shown.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {
namespace {

using model::ProfileKey;
using model::ProfileRow;

std::string part_text(double part, double of) {
  if (whole_bytes(of) == 0) return "-";
  const double percent = 100 * whole_bytes(part) / of;
  return percent > 0 && percent < 0.5 ? "< 1 %" : percent_text(percent);
}

std::vector<Column> columns_of(const ShownRows& shown, const std::vector<model::ProfileCache>& caches) {
  std::vector<std::string> figures;
  if (shown.key == ProfileKey::object) figures.emplace_back("size");
  if (shown.key != ProfileKey::region) figures.emplace_back("accesses");
  for (std::size_t i = 0; i < caches.size(); ++i) {
    figures.push_back(i + 1 < caches.size() ? "from " + caches[i + 1].level : "memory");
  }
  for (const char* name : {"of all", "written", "in order", "irregular", "chained"})
    figures.emplace_back(name);
  return columns({shown.column}, figures);
}

Row cells_of(const ShownRows& shown, const ProfileRow& row, double all) {
  const model::Traffic& memory = row.behind.back();
  const double fetched = memory.fetched();
  Row cells = {shown.key == ProfileKey::function ? model::short_function(row.name) : row.name};
  if (shown.key == ProfileKey::object) cells.emplace_back(row.peak_bytes ? bytes_text(row.peak_bytes) : "-");
  if (shown.key != ProfileKey::region) cells.emplace_back(bytes_cell(row.load_bytes + row.store_bytes));
  for (const model::Traffic& traffic : row.behind) cells.emplace_back(bytes_cell(traffic.total()));
  cells.emplace_back(part_text(memory.total(), all));
  cells.emplace_back(part_text(memory.written_back + memory.streamed, memory.total()));
  for (const auto order :
       {model::AccessOrder::sequential, model::AccessOrder::independent, model::AccessOrder::chained}) {
    cells.emplace_back(part_text(memory.fetched(order), fetched));
  }
  return cells;
}

// The rows that matter: those with most of the traffic from memory, or of the accesses where there is none.
std::vector<ProfileRow> first_rows(std::vector<ProfileRow> rows, bool all) {
  constexpr std::size_t few = 5;
  if (!all && rows.size() > few) rows.resize(few);
  return rows;
}

void print_rows(const model::Profile& profile, const ShownRows& shown, const ProfileMachine& machine,
                const ProfileTimes& times, bool all) {
  std::vector<ProfileRow> every = profile_rows(profile, shown.key, machine.caches);
  if (shown.key == ProfileKey::function) times.sort(every);
  double sum = 0;
  for (const ProfileRow& row : every) sum += row.behind.back().total();
  Table table{shown.title, columns_of(shown, machine.caches)};
  const std::vector<ProfileRow> rows = first_rows(every, all);
  for (const ProfileRow& row : rows) table.rows.push_back(cells_of(shown, row, sum));
  if (shown.key == ProfileKey::function) times.add_columns(rows, table);
  if (rows.size() < every.size()) {
    table.notes.push_back(fmt::format("{} more with `--all`", every.size() - rows.size()));
  }
  fmt::print("{}", table_text(table));
}

std::string cache_text(const model::ProfileCache& cache) {
  return usable_size_text(cache) + (cache.is_shared ? " for all threads" : "");
}

void print_head(const model::Profile& profile, const ProfileMachine& machine, const std::string& path) {
  fmt::print("{}", folded(fmt::format("{}: {}", path,
                                      joined(
                                          profile.command, [](const auto& word) { return word; }, " "))));
  const double error = share_error(profile);
  const std::string followed =
      error == 0
          ? "every cache line was followed"
          : fmt::format(
                "1 of {:.0f} cache lines was followed, which is an error of about {:.1g} % of the whole",
                1 / profile.lines_followed, 100 * error);
  fmt::print("{}",
             folded(fmt::format("{}{}; {}",
                                profile.processes > 1 ? fmt::format("{} processes, ", profile.processes) : "",
                                count_text(profile.threads, "thread"), followed)));
  fmt::print("{}", folded(conflicts_text(profile, machine)));
  fmt::print("{}\n", folded(fmt::format("Bytes that pass between the caches of {} ({}) and its memory:",
                                        machine.name, joined(machine.caches, cache_text))));
}

}  // namespace

void print_profile(const model::Profile& profile, const ProfileMachine& machine, const ProfileTimes& times,
                   const ProfileShowArguments& arguments) {
  print_head(profile, machine, arguments.file);
  for (const ShownRows& shown : shown_rows(profile, arguments.by))
    print_rows(profile, shown, machine, times, arguments.all);
}

}  // namespace gable::cli
