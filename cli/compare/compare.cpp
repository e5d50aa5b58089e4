#include "cli/compare/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ranges>
#include <set>

#include "base/error.hpp"
#include "base/sorting.hpp"
#include "base/tables/table.hpp"
#include "base/words.hpp"
#include "cli/compare/compared.hpp"
#include "cli/compare/side.hpp"
#include "cli/report/report.hpp"
#include "cli/text/arguments.hpp"
#include "cli/text/columns.hpp"
#include "plots/charts/chart.hpp"
#include "plots/charts/charts.hpp"
#include "plots/html/tables.hpp"

namespace gable::cli {

namespace {

std::string summary_html(const Compared& compared) {
  std::string sentences;
  for (const std::string& line : summary(compared)) sentences += html::paragraph(line);
  return "<div class=\"meaning\">" + sentences + "</div>\n";
}

std::string differences_html(const Compared& compared) {
  const Table significant = differences_table(compared, false);
  const Table every = differences_table(compared, true);
  if (significant.title == every.title) return html::table_html(every);  // none can be judged: all are shown
  return html::table_html(significant) + html::details_html("Every figure", html::table_html(every));
}

std::string lone_html(const Compared& compared) {
  const Table table = lone_table(compared, true);
  return table.empty() ? html::paragraph("Every figure has a counterpart.") : html::table_html(table);
}

std::string virt_tables_html(const Compared& compared) {
  std::string out;
  for (const Table& table : compared_virt_tables(compared)) out += html::table_html(table);
  return out;
}

// Writes the page with every table and the charts; one file that needs nothing else. Throws
// Error::interrupted, Error::failed, std::system_error; the file is then as it was.
void write_page(const Compared& compared, const std::vector<charts::Chart>& charts, const std::string& file) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < compared.versus.size(); ++i) others.push_back(compared.other(i).label);
  ReportCharts figures;
  const std::string charts_html = figures.html_of(charts);
  html::Page page;
  page.title = fmt::format("{} beside {}", fmt::join(others, ", "), compared.sides.front().label);
  page.subtitle = fmt::format("Every change is relative to {}.", compared.sides.front().label);
  page.top = summary_html(compared);
  page.sections = {
      {"folders", "What was compared", html::table_html(sides_table(compared))},
      {"differences", "Differences", differences_html(compared)},
      {"rooflines", "Pictures", charts_html},
      {"changes", "What changed", html::table_html(changes_table(compared))},
      {"lone", "Without a counterpart", lone_html(compared)},
  };
  if (const std::string virt = virt_tables_html(compared); !virt.empty())
    page.sections.insert(page.sections.begin() + 2, {"virt", "Virtualization", virt});
  figures.write(page, "compare", file);
}

// "cluster 0, L1: load" becomes "cluster 0, L1: load, all cores" where a figure of this name has other
// threads, in whichever folder.
void tell_threads_apart(std::vector<Versus>& versus) {
  std::map<std::string, std::set<std::string>> threads_of_names;
  for (const Versus& one : versus) {
    for (const auto* figures : {&one.first, &one.other}) {
      for (const model::Figure& figure : *figures) {
        if (!figure.threads.empty()) threads_of_names[figure.name].insert(figure.threads);
      }
    }
  }
  for (Versus& one : versus) {
    for (auto* figures : {&one.first, &one.other}) {
      for (model::Figure& figure : *figures) {
        const auto found = threads_of_names.find(figure.name);
        if (found != threads_of_names.end() && found->second.size() > 1) figure.name += ", " + figure.threads;
      }
    }
  }
}

Compared compared_folders(const std::vector<std::string>& folders, const std::vector<std::string>& names) {
  Compared compared;
  for (const std::string& folder : folders) compared.sides.push_back(read_side(folder));
  label_sides(compared.sides, folders, names);
  compared.changes = changes_of(compared.sides);
  const Side& first = compared.sides.front();
  for (std::size_t i = 1; i < compared.sides.size(); ++i) {
    const Side& other = compared.sides[i];
    const Places of_first(first, other), of_other(other, first);
    Versus versus{figures_of(first, of_first), figures_of(other, of_other), {}, of_first.sentence()};
    compared.versus.push_back(std::move(versus));
  }
  tell_threads_apart(compared.versus);
  for (Versus& versus : compared.versus) versus.comparison = model::compare(versus.first, versus.other);
  return compared;
}

std::string virt_text(const Compared& compared) {
  std::string text;
  for (const Table& table : compared_virt_tables(compared)) text += table_text(table);
  return text;
}

std::string compared_text(const Compared& compared, const CompareArguments& arguments) {
  std::string text = table_text(sides_table(compared)) + table_text(changes_table(compared)) +
                     table_text(differences_table(compared, arguments.all)) + virt_text(compared) +
                     lone_text(lone_table(compared, arguments.all));
  for (const std::string& line : summary(compared)) text += folded(line, 2);
  if (arguments.all) return text;
  std::string call = "gable compare";
  for (const std::string& folder : arguments.folders) call += " " + shell_quoted(folder);
  return text + fmt::format("Every figure: {} --all\n", call);
}

std::vector<charts::Chart> overlays(const Compared& compared, const std::string& op) {
  std::vector<charts::Recorded> machines;
  std::set<int> clusters;
  for (const Side& side : compared.sides) {
    charts::Recorded recorded = roofs_for_charts(side.shown);
    recorded.machine = side.label;
    recorded.op = model::Operation(op);
    const std::vector<int> found = charts::clusters_of(recorded);
    clusters.insert(found.begin(), found.end());
    machines.push_back(std::move(recorded));
  }
  std::vector<charts::Chart> all;
  for (const int cluster : clusters) all.push_back(charts::overlay_chart(machines, cluster));
  for (charts::Chart& chart : virt_charts(compared)) all.push_back(std::move(chart));
  return all;
}

// A figure that is worse by more than a nightly job accepts.
struct Failed {
  std::string name, variant, change;
  double magnitude = 0;
};

// What a nightly job has to know, the largest change first; empty if nothing is wrong.
std::string failure_of(const Compared& compared, double fail_above) {
  constexpr std::size_t most_names = 3;
  std::vector<Failed> all;
  for (std::size_t i = 0; i < compared.versus.size(); ++i) {
    const Versus& versus = compared.versus[i];
    if (versus.comparison.judged == 0)
      return fmt::format("no figure of {} can be judged against {}: see the table", compared.other(i).label,
                         compared.sides.front().label);
    for (const model::Difference& difference : versus.comparison.differences) {
      const model::Figure& figure = versus.first[difference.figures.first];
      if (figure.better == model::Better::neither || !difference.fails(fail_above)) continue;
      const std::string folder = compared.versus.size() > 1 ? compared.other(i).label + ": " : "";
      all.push_back({folder + figure.name, figure.variant, change_text(difference, figure.is_share),
                     difference.magnitude()});
    }
  }
  if (all.empty()) return {};
  sort_by(all, [](const Failed& failed) { return -std::round(1000 * failed.magnitude); });  // as printed
  const auto count = std::ssize(all);
  std::vector<std::string> names;
  for (const Failed& failed : all | std::views::take(most_names)) {
    const bool is_alone = std::ranges::count(all, failed.name, &Failed::name) == 1;
    const bool has_variant = !is_alone && !failed.variant.empty();
    names.push_back(
        fmt::format("{}{} {}", failed.name, has_variant ? " (" + failed.variant + ")" : "", failed.change));
  }
  return fmt::format("{} significantly worse by more than {:g} %: {}{}", count_text(count, "figure"),
                     fail_above, fmt::join(names, "; "), count > std::ssize(names) ? "; …" : "");
}

// A name for each folder, by which a reader can tell them apart.
void require_names(const std::vector<std::string>& names, std::size_t folders) {
  if (names.empty()) return;
  if (names.size() != folders)
    throw Error::usage(fmt::format("--names: {} for {} folders; give one for each", names.size(), folders));
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.find_first_not_of(' ') == std::string::npos)
      throw Error::usage("--names: a name is empty; give one for each folder");
    if (name.front() == ' ' || name.back() == ' ')
      throw Error::usage(
          fmt::format("--names: '{}' has a space at an end; write no space at the commas", name));
    if (!seen.insert(name).second)
      throw Error::usage(
          fmt::format("--names: '{}' is given twice; give each folder a name of its own", name));
  }
}

}  // namespace

void compare_folders(const CompareArguments& arguments) {
  if (arguments.folders.size() < 2)
    throw Error::usage("compare: name two recorded folders or published machines, or more");
  require_names(arguments.names, arguments.folders.size());
  if (!arguments.html.empty()) require_output("--html", arguments.html);
  const Compared compared = compared_folders(arguments.folders, arguments.names);
  const std::string text =
      arguments.json ? compared_json(compared, arguments.fail_above) : compared_text(compared, arguments);
  std::fputs(text.c_str(), stdout);
  std::FILE* const tell = arguments.json ? stderr : stdout;
  if (!arguments.output.empty())
    draw_charts(overlays(compared, arguments.op), arguments.output, arguments.pictures, tell);
  if (!arguments.html.empty()) {
    write_page(compared, overlays(compared, arguments.op), arguments.html);
    fmt::print(tell, "{}\n", arguments.html);
  }
  if (!arguments.fail_above) return;
  std::fflush(stdout);
  if (const std::string failure = failure_of(compared, *arguments.fail_above); !failure.empty())
    throw Error::failed(failure);
}

}  // namespace gable::cli
