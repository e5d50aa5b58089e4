#include "cli/place/memory/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "cli/text/columns.hpp"
#include "model/records/names.hpp"
#include "model/roofs/interval.hpp"

namespace gable::cli {
namespace {

using model::Status;
using model::TierCase;
using model::TierFigure;
using Figures = std::vector<TierFigure>;

// A row of tables 2.2 and 2.3, and of further ways to load and to store.
struct TierRow {
  std::string name, what, way;
  std::uint64_t block = 0;  // bytes; 0: a stream
};

const std::vector<TierRow>& rows() {
  static const std::vector<TierRow> all = {{"Read Bandwidth", "load", ""},
                                           {"Random Read, 64 B", "load", "", 64},
                                           {"Random Read, 256 B", "load", "", 256},
                                           {"Read Latency", "latency", ""},
                                           {"Write Bandwidth", "store", "store"},
                                           {"Write Bandwidth, clwb", "store", "clwb"},
                                           {"Write Bandwidth, clflushopt", "store", "clflushopt"},
                                           {"Write Bandwidth, cvap", "store", "cvap"},
                                           {"Write Bandwidth, NT stores", "store", "nt"},
                                           {"STREAM Copy", "copy", "store"},
                                           {"STREAM Scale", "scale", "store"},
                                           {"STREAM Add", "add", "store"},
                                           {"STREAM Triad", "triad", "store"},
                                           {"STREAM Copy, NT stores", "copy", "nt"},
                                           {"STREAM Scale, NT stores", "scale", "nt"},
                                           {"STREAM Add, NT stores", "add", "nt"},
                                           {"STREAM Triad, NT stores", "triad", "nt"}};
  return all;
}

bool ok(const TierFigure* figure) {
  return figure != nullptr && figure->status == Status::ok;
}

template <typename Wanted>
const TierFigure* first(const Figures& figures, Wanted wanted) {
  const auto found = std::ranges::find_if(figures, wanted);
  return found == figures.end() ? nullptr : &*found;
}

Cell tier_cell(const TierFigure* figure, bool unit = true) {
  if (figure == nullptr) return {};
  if (figure->status != Status::ok) return model::name_of(figure->status);
  const model::Estimate& e = figure->estimate;
  return with_interval(e.value, e.lo, e.hi, unit ? fmt::format(" {}", unit_of(figure->spec)) : "");
}

const TierFigure* figure_at(const Figures& figures, const std::string& tier, const TierRow& row, int threads,
                            bool smt) {
  return first(figures, [&](const TierFigure& f) {
    const TierCase& spec = f.spec;
    if (spec.tier != tier || spec.what != row.what || spec.way != row.way || spec.access_bytes != row.block)
      return false;
    return (spec.threads == threads && spec.smt == smt) || (is_latency(spec) && spec.threads == 1);
  });
}

// Tables 2.2 (with SMT) and 2.3 (without).
std::string benchmarks(const Figures& figures, bool smt) {
  const int threads = most_threads(figures, smt);
  if (threads == 0) return "";
  const bool any =
      std::ranges::any_of(figures, [&](const TierFigure& f) { return f.spec.smt == smt && ok(&f); });
  if (!any) return "";
  const std::vector<std::string> tiers = tiers_in(figures);
  const bool measured = std::ranges::any_of(figures, [](const TierFigure& f) { return f.source.empty(); });
  Table table{fmt::format("{}, {}{}", smt ? "With SMT" : "Without SMT, one thread per core",
                          count_text(threads, "thread"), measured ? "; latency by one" : ""),
              columns({"Benchmark"}, tiers)};
  for (std::size_t t = 1; t < tiers.size(); ++t) table.add_column(tiers[t] + " / " + tiers[0]);
  for (const TierRow& row : rows()) {
    Row cells = {row.name};
    std::vector<const TierFigure*> found;
    for (const std::string& tier : tiers) found.push_back(figure_at(figures, tier, row, threads, smt));
    if (std::ranges::none_of(found, [](const TierFigure* f) { return f != nullptr; })) continue;
    for (const TierFigure* figure : found) cells.push_back(tier_cell(figure));
    for (std::size_t t = 1; t < tiers.size(); ++t)
      cells.emplace_back(ok(found[t]) && ok(found[0]) ? ratio_text(*found[t], *found[0]) : "");
    table.rows.push_back(std::move(cells));
  }
  return table_text(table);
}

// Bandwidth by the number of threads, a line for each tier.
std::string by_threads(const Figures& figures) {
  std::vector<int> counts =
      distinct(figures, [](const TierFigure& f) { return f.spec.smt ? 0 : f.spec.threads; });
  std::erase(counts, 0);
  std::ranges::sort(counts);
  const bool measured = std::ranges::any_of(figures, [](const TierFigure& f) { return f.source.empty(); });
  if (counts.size() < 2 || !measured) return "";
  Table table{"By threads, one per core", columns({"GB/s", ""})};
  for (const int count : counts) table.add_column(count_text(count, "thread"));
  for (const TierRow& row : rows()) {
    if (row.what == name_of(model::Kind::latency)) continue;
    for (const std::string& tier : tiers_in(figures)) {
      Row cells = {row.name, tier};
      bool any = false;
      for (const int count : counts) {
        const TierFigure* figure = figure_at(figures, tier, row, count, false);
        cells.push_back(tier_cell(figure, false));
        any = any || ok(figure);
      }
      if (any) table.rows.push_back(std::move(cells));
    }
  }
  return table_text(table);
}

// Writes in blocks: a line for each way and number of threads, a column for each size.
std::string writes(const Figures& figures, const std::string& tier, const std::string& order) {
  std::map<std::uint64_t, std::size_t> sizes;
  std::map<std::tuple<bool, int>, int> counts;
  std::vector<std::string> ways;
  for (const TierFigure& f : figures) {
    if (!stores_blocks(f.spec) || f.spec.tier != tier || !ok(&f)) continue;
    sizes[f.spec.access_bytes] = 0;
    counts[{f.spec.smt, f.spec.threads}] = 0;
    add_once(ways, f.spec.way);
  }
  if (sizes.empty()) return "";
  Table table{fmt::format("Writes to {}, {} blocks", tier, order), columns({"GB/s", ""})};
  for (auto& [bytes, column] : sizes) table.add_column(bytes_text(bytes));
  for (const std::string& way : ways) {
    for (const auto& [threads, unused] : counts) {
      const auto [smt, count] = threads;
      Row cells = {model::way_text(way), count_text(count, "thread") + (smt ? ", SMT" : "")};
      for (const auto& [bytes, column] : sizes) {
        cells.push_back(tier_cell(first(figures,
                                        [&, s = smt, c = count, b = bytes](const TierFigure& f) {
                                          const TierCase& a = f.spec;
                                          return stores_blocks(a) && a.tier == tier && a.way == way &&
                                                 a.order == order && a.access_bytes == b && a.threads == c &&
                                                 a.smt == s;
                                        }),
                                  false));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table_text(table);
}

std::string group_table(const Figures& figures) {
  const TierCase& spec = figures.front().spec;
  std::string text = fmt::format("Memory of cluster {}", spec.cluster);
  if (spec.bytes > 0) text += fmt::format(", working set {}", bytes_text(spec.bytes));
  text += "\n\n" + benchmarks(figures, false) + benchmarks(figures, true) + by_threads(figures);
  const std::vector<std::string> tiers = tiers_in(figures);
  for (const std::string& tier : tiers) {
    for (const char* order : {"sequential", "random"}) text += writes(figures, tier, order);
  }
  return text + memory_remarks(figures);
}

}  // namespace

std::string memory_table(const Figures& figures) {
  const auto groups =
      distinct(figures, [](const TierFigure& f) { return std::pair(f.spec.cluster, f.spec.bytes); });
  std::string text;
  for (const auto& group : groups) {
    const auto is_of_group = [&](const TierFigure& figure) {
      return std::pair(figure.spec.cluster, figure.spec.bytes) == group;
    };
    text += (text.empty() ? "" : "\n") + group_table(those(figures, is_of_group));
  }
  const auto needs_rule = [](const TierFigure& figure) {
    return ok(&figure) && has_plus_minus(figure.estimate.value, figure.estimate.lo, figure.estimate.hi);
  };
  if (std::ranges::any_of(figures, needs_rule)) text += fmt::format("\n{}.\n", model::interval_rule);
  return text;
}

}  // namespace gable::cli
