#include <CLI/CLI.hpp>
#include <memory>

#include "cli/options/commands.hpp"
#include "cli/options/validators.hpp"
#include "cli/plot/plot.hpp"

namespace gable::cli {

namespace {

// gnuplot takes what stands behind a comma as the size.
std::string font_name(const std::string& name) {
  return name.empty() || name.find(',') != std::string::npos ? "a font's name has no comma" : "";
}

}  // namespace

void define_plot(CLI::App& command) {
  const auto arguments = std::make_shared<PlotArguments>();
  command.add_option("DIR", arguments->folder, "recorded machine: the folder with roofs.json")->required();
  command.add_option("--cluster", arguments->cluster, "only the charts of this cluster")
      ->check(not_negative());
  command.add_option("--op", arguments->op, "operation of the bandwidth roofs")->capture_default_str();
  command
      .add_option("--format", arguments->formats,
                  "svg, png, pdf; several with commas (default: svg,png; with --size column all three)")
      ->delimiter(',');
  command.add_option(
      "--output", arguments->output,
      "folder of the charts (default: DIR/charts); DIR may then be a published machine, or read-only");
  command
      .add_option_function<std::string>(
          "--size", [arguments](const std::string& size) { arguments->column = size == "column"; },
          "screen, or column: 3.4 inches wide with letters of 7 points, for a paper; the caption is printed")
      ->check(CLI::IsMember({"screen", "column"}))
      ->default_str("screen");
  command.add_option("--font", arguments->font, "of the letters (default: sans-serif)")->check(font_name);
  command
      .add_option("--hide", arguments->hidden,
                  "leaves out the roofs, points and series with this in their name; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--overlay", arguments->overlay,
                     "draws the roofs of this recorded or published machine over the roofline charts");
  command.callback([arguments] { plot(*arguments); });
}

}  // namespace gable::cli
