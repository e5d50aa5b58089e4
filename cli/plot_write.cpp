// From charts to files: the tables, then the pictures.

#include <fmt/format.h>

#include <filesystem>

#include "cli/plot_chart.hpp"
#include "model/format.hpp"

namespace gable::cli {

namespace {

void tell_columns(Chart& chart) {
  double number = 0;
  for (const std::string& column : chart.table.columns()) chart.variables["col_" + column] = ++number;
}

}  // namespace

void write_and_draw(std::vector<Chart> charts, const std::string& folder,
                    const std::vector<std::string>& formats, std::FILE* tell) {
  const auto say = [&](const std::string& line) {
    if (tell != nullptr) fmt::print(tell, "{}\n", line);
  };
  std::filesystem::create_directories(folder);
  for (Chart& chart : charts) {
    if (!chart.omitted.empty()) {
      say(fmt::format("not drawn: {}: {}", chart.name, chart.omitted));
      continue;
    }
    const std::string table = fmt::format("{}/{}.tsv", folder, chart.name);
    model::write_whole(table, chart.table.tsv());
    say(table);
    tell_columns(chart);
  }
  if (!gnuplot_found()) {
    throw GnuplotError(
        "no pictures, only tables: gnuplot is not installed (Debian's package is gnuplot-nox)");
  }
  const std::string scripts = scripts_folder();
  for (const Chart& chart : charts) {
    if (!chart.omitted.empty()) continue;
    for (const std::string& format : formats) {
      const std::string picture = fmt::format("{}/{}.{}", folder, chart.name, format);
      draw(scripts, chart.script, fmt::format("{}/{}.tsv", folder, chart.name), format, picture,
           chart.variables);
      say(picture);
    }
  }
}

}  // namespace gable::cli
