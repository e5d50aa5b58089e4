#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/lists.hpp"
#include "base/programs/program.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/profile/shown.hpp"
#include "cli/text/columns.hpp"
#include "model/records/short_function.hpp"

namespace gable::cli {
namespace {

using model::ProfileKey;
using model::ProfileRow;

constexpr std::size_t few_rows = 5;

std::string part_text(double part, double of) {
  if (whole_bytes(of) == 0) return "-";
  return short_percent(whole_bytes(part) / of);
}

// "24.4 MiB", "896 MiB": three digits, so that tables of many columns fit.
std::string short_bytes(double bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 0.5) return "-";
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  const int decimals = unit == 0 || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", bytes, decimals, units[unit]);
}

// When it lived: "all", "12–48 %" of the run; "-": not known.
std::string lived_text(const ProfileRow& row) {
  if (row.peak_bytes == 0) return "-";
  const double born = std::round(100 * row.born), died = std::round(100 * row.died);
  if (born <= 0 && died >= 100) return "all";
  return born < died ? fmt::format("{:.0f}–{:.0f} %", born, died) : fmt::format("{:.0f} %", born);
}

// The name is the last column, which is folded if it is long.
std::vector<Column> columns_of(const ShownRows& kind, const std::vector<model::ProfileCache>& caches) {
  std::vector<std::string> figures;
  if (kind.key == ProfileKey::object) {
    figures = {"size", "lived"};
  } else if (kind.key != ProfileKey::region) {
    figures = {"accesses"};
  }
  for (std::size_t i = 0; i < caches.size(); ++i) {
    figures.push_back(i + 1 < caches.size() ? "from " + caches[i + 1].level : "memory");
  }
  for (const char* name : {"of all", "written", "in order", "irregular", "chained"})
    figures.emplace_back(name);
  return columns({}, figures, {kind.column});
}

std::string name_of(const ShownRows& kind, const ProfileRow& row) {
  if (kind.key == ProfileKey::function)
    return model::short_function(row.name) + model::loop_words(row.loop, row.line);
  return row.blocks > 1 ? fmt::format("{}, {} blocks", row.name, row.blocks) : row.name;
}

Row cells_of(const ShownRows& kind, const ProfileRow& row, double all) {
  const model::Traffic& memory = row.behind.back();
  const double fetched = memory.fetched();
  Row cells;
  if (kind.key == ProfileKey::object) {
    cells = {short_bytes(static_cast<double>(row.peak_bytes)), lived_text(row)};
  } else if (kind.key != ProfileKey::region) {
    cells = {short_bytes(row.load_bytes + row.store_bytes)};
  }
  for (const model::Traffic& traffic : row.behind) cells.emplace_back(short_bytes(traffic.total()));
  cells.emplace_back(part_text(memory.total(), all));
  cells.emplace_back(part_text(memory.written_back + memory.streamed, memory.total()));
  for (const auto order :
       {model::AccessOrder::sequential, model::AccessOrder::independent, model::AccessOrder::chained}) {
    cells.emplace_back(part_text(memory.fetched(order), fetched));
  }
  cells.emplace_back(name_of(kind, row));
  return cells;
}

// The rows that matter: those with most of the traffic from memory, or of the accesses where there is none.
std::vector<ProfileRow> first_rows(std::vector<ProfileRow> rows, bool all) {
  if (!all && rows.size() > few_rows) rows.resize(few_rows);
  return rows;
}

void print_rows(const ShownProfile& shown, const ShownRows& kind, bool all) {
  const auto& [profile, machine, levels, times] = shown;
  std::vector<ProfileRow> every = profile_rows(profile, kind.key, machine.caches);
  if (kind.key == ProfileKey::function) times.sort(every);
  double sum = 0;
  for (const ProfileRow& row : every) sum += row.behind.back().total();
  Table table{kind.title, columns_of(kind, machine.caches)};
  const std::vector<ProfileRow> rows = first_rows(every, all);
  for (const ProfileRow& row : rows) table.rows.push_back(cells_of(kind, row, sum));
  if (rows.size() < every.size()) {
    table.notes.push_back(fmt::format("{} more with `--all`", every.size() - rows.size()));
  }
  fmt::print("{}", table_text(table));
  if (kind.key == ProfileKey::function)
    fmt::print("{}", table_text(times.table(all ? every.size() : few_rows)));
}

std::string cache_text(const model::ProfileCache& cache) {
  return usable_size_text(cache) + (cache.is_shared ? " for all threads" : "");
}

// Says which part of the accesses contends for lines with another thread, if it is much.
std::string contention_text(const model::Profile& profile, const ProfileMachine& machine) {
  const double share = model::contested_share(profile);
  if (share < model::much_contested) return {};
  const auto rows = [&](ProfileKey key) { return model::profile_rows(profile, key, machine.caches); };
  const auto most = [&](ProfileKey key) {
    return std::ranges::max(rows(key), {}, &ProfileRow::contested).name;
  };
  const ProfileRow program = rows(ProfileKey::program).front();
  return fmt::format(
      "{} of its accesses are to lines that another thread uses at the same time, where one of the two "
      "writes: most in {} on {}. {} of these are to other bytes of the line than those that the other thread "
      "uses (false sharing).",
      short_percent(share), most(ProfileKey::function), most(ProfileKey::object),
      short_percent(program.contested_apart / program.contested));
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
                "1 of {:.0f} cache lines was followed, which is an error of about {:.2g} % of the whole",
                1 / profile.lines_followed, 100 * error);
  fmt::print("{}",
             folded(fmt::format("{}{}; {}",
                                profile.processes > 1 ? fmt::format("{} programs, ", profile.processes) : "",
                                count_text(profile.threads, "thread"), followed)));
  if (profile.signal != 0)
    fmt::print("{}", folded(fmt::format("The program was killed by {}, and the profile ends there.",
                                        signal_text(profile.signal))));
  fmt::print("{}", folded(conflicts_text(profile, machine)));
  fmt::print("{}", folded(contention_text(profile, machine)));
}

void print_bytes(const ShownProfile& shown, const std::vector<ShownRows>& kinds, bool all) {
  const ProfileMachine& machine = shown.machine;
  fmt::print("{}\n", folded(fmt::format("Bytes that pass between the caches of {} ({}) and its memory:",
                                        machine.name, joined(machine.caches, cache_text))));
  for (const ShownRows& kind : kinds) print_rows(shown, kind, all);
}

}  // namespace

std::string short_percent(double part) {
  const double percent = 100 * part;
  return percent > 0 && percent < 0.5 ? "< 1 %" : percent_text(percent);
}

void print_profile(const ShownProfile& shown, const ProfileShowArguments& arguments) {
  print_head(shown.profile, shown.machine, arguments.file);
  const std::string levels = shows_levels(arguments.by) ? table_text(shown.levels.table(arguments.all)) : "";
  if (!levels.empty()) fmt::print("\n{}", levels);
  const std::vector<ShownRows> kinds = shown_rows(shown.profile, arguments.by);
  if (!kinds.empty()) print_bytes(shown, kinds, arguments.all);
}

}  // namespace gable::cli
