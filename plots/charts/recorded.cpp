#include "plots/charts/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <set>

#include "base/lists.hpp"
#include "base/words.hpp"
#include "model/records/names.hpp"
#include "model/records/record_row.hpp"
#include "plots/charts/text.hpp"

namespace gable::charts {

using model::Roof;
using model::Status;

bool Recorded::hides(const std::string& name) const {
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::ranges::any_of(
      hidden, [&](const std::string& part) { return !std::ranges::search(name, part, same).empty(); });
}

std::string Recorded::table_of(const std::string& chart) const {
  return with_tables ? "the table below" : chart + ".tsv";
}

std::string op_suffix(const Recorded& recorded) {
  return recorded.op == model::operations::load ? "" : "-" + recorded.op.name();
}

Table roof_table(const std::vector<std::string>& more) {
  std::vector<std::string> columns = model::roof_columns();
  for (const std::string& name : more) add_once(columns, name);
  return Table(columns);
}

void set_roof(Table& table, const Roof& roof) {
  const Row row = model::roof_row(roof);
  for (std::size_t i = 0; i < row.size(); ++i) table.set(model::roof_columns()[i], row[i]);
}

std::string thread_numbers_text(const std::vector<Roof>& drawn) {
  std::set<int> threads;
  for (const Roof& roof : drawn) {
    if (roof.status == Status::ok) threads.insert(roof.spec.threads);
  }
  if (threads.empty()) return {};
  const std::string most = count_text(*threads.rbegin(), "thread");
  return threads.size() > 1 ? fmt::format("{} to {}", *threads.begin(), most) : most;
}

std::string conditions_text(const std::vector<Roof>& drawn) {
  std::set<std::string> pages, kernels;
  for (const Roof& roof : drawn) {
    if (roof.status != Status::ok) continue;
    if (!roof.spec.kernel.empty()) kernels.insert(roof.spec.kernel);
    if (!roof.spec.pages.empty()) pages.insert(model::pages_text(roof.spec.pages));
  }
  std::string text = thread_numbers_text(drawn);
  if (text.empty()) return {};
  const auto words = [](const std::set<std::string>& set) { return list_text({set.begin(), set.end()}); };
  if (!kernels.empty() && kernels.size() <= 3) text += "; " + words(kernels);
  if (pages.size() == 1) text += fmt::format("; {} pages", words(pages));
  if (pages.size() > 1) text += fmt::format("; the better of {} pages", words(pages));
  const std::string sources = sources_text(drawn);
  return sources.empty() ? text : text + "; " + sources;
}

std::string sources_text(const std::vector<Roof>& drawn) {
  std::set<std::string> sources;
  for (const Roof& roof : drawn) {
    if (roof.status == Status::ok && !roof.source.empty()) sources.insert(roof.source);
  }
  return sources.empty() ? "" : "figures of " + list_text({sources.begin(), sources.end()});
}

std::string interval_note(const std::string& drawn_as, const std::vector<Roof>& drawn, bool plus_minus) {
  const auto is = [&](bool (*true_of)(const Roof&)) {
    return std::any_of(drawn.begin(), drawn.end(), true_of);
  };
  if (!is([](const Roof& roof) { return roof.status == Status::ok && roof.lo < roof.hi; })) return {};
  const bool published = is([](const Roof& roof) { return !roof.source.empty() && roof.lo < roof.hi; });
  const bool measured = is([](const Roof& roof) { return roof.source.empty() && roof.lo < roof.hi; });
  const std::string intervals = !published ? "95 % confidence intervals"
                                : measured ? "95 % confidence intervals, or as published"
                                           : "intervals as published";
  if (drawn_as.empty()) return fmt::format("±: distance to the further end of {}.", intervals);
  return fmt::format("{}: {}{}.", drawn_as, intervals, plus_minus ? "; ±: distance to the further end" : "");
}

std::string remark_note(const Recorded& recorded, const std::vector<Roof>& drawn, const std::string& chart) {
  const auto count = std::count_if(drawn.begin(), drawn.end(), [](const Roof& roof) {
    return roof.status == Status::ok && !roof.remarks.empty();
  });
  return count == 0
             ? ""
             : fmt::format(" Remarks on {}: {}.", count_text(count, "figure"), recorded.table_of(chart));
}

std::string roof_detail(const Roof& roof) {
  if (roof.status != Status::ok)
    return fmt::format("{}: {}", model::name_of(roof.status), sentence(roof.reason));
  std::string text = fmt::format("{} {}{}", three_digits(roof.value), roof.unit, interval_text(roof));
  const model::Case& spec = roof.spec;
  if (!spec.kernel.empty()) text += "; " + spec.kernel;
  if (!spec.pages.empty()) text += fmt::format("; {} pages", model::pages_text(spec.pages));
  if (spec.threads > 0) text += "; " + count_text(spec.threads, "thread");
  if (roof.n > 0) text += fmt::format("; {} repetitions", roof.n);
  if (!roof.source.empty()) text += "; " + roof.source;
  if (!roof.remarks.empty()) text += "; " + joined_sentences(roof.remarks);
  return text;
}

std::string cluster_text(const Recorded& recorded, int cluster) {
  const auto kind = recorded.core_kinds.find(cluster);
  if (kind == recorded.core_kinds.end()) return fmt::format("cluster {}", cluster);
  return fmt::format("cluster {} ({} cores)", cluster, kind->second);
}

void set_titles(Chart& chart, const Recorded& recorded, const std::string& subject, int cluster,
                const std::string& conditions) {
  chart.title = cluster < 0
                    ? fmt::format("{}, {}", subject, recorded.machine)
                    : fmt::format("{}, {} of {}", subject, cluster_text(recorded, cluster), recorded.machine);
  chart.subtitle.clear();
  chart.column = recorded.column;
  for (const std::string& part : {recorded.caveat, recorded.cpu, conditions}) {
    if (!part.empty()) chart.subtitle += (chart.subtitle.empty() ? "" : "; ") + part;
  }
}

std::vector<Tick> decade_ticks(double from, double to) {
  std::vector<Tick> ticks;
  if (!std::isnormal(from) || !std::isfinite(to)) return ticks;
  const auto add = [&](std::initializer_list<double> steps) {
    ticks.clear();
    for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10)
      for (const double step : steps)
        if (const double at = step * decade; at >= from && at <= to)
          ticks.push_back({at, fmt::format("{:g}", at)});
  };
  constexpr double many = 5000;
  constexpr std::size_t few = 3;
  if (to > many * from) {
    add({1});
  } else {
    add({1, 2, 5});
  }
  if (ticks.size() < few) add({1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9});
  if (ticks.size() < few)
    add({1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3.2, 3.6, 4, 4.5, 5, 5.5, 6, 7, 8, 9});
  return ticks;
}

Chart omitted_chart(const std::string& name, const std::string& reason) {
  Chart chart;
  chart.name = name;
  chart.omitted = reason;
  return chart;
}

}  // namespace gable::charts
