#include "plots/gnuplot/gnuplot.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/programs/program.hpp"
#include "base/whole_file.hpp"

namespace gable::gnuplot {

namespace fs = std::filesystem;

namespace {

Captured run_program(const std::vector<std::string>& command) {
  return output_of(command, Outputs::together);
}

Captured run_gnuplot(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"gnuplot", "--default-settings"});
  return run_program(arguments);
}

// Why the program cannot be used, from its run with --version; empty if it can.
std::string why_not(const std::string& program, const char* package, const Captured& tried) {
  if (tried.error == ENOENT)
    return fmt::format("{} is not installed (Debian's package is {})", program, package);
  if (tried.error != 0)
    return fmt::format("{} cannot be started: {}", program, std::generic_category().message(tried.error));
  if (tried.status == 0) return {};
  return fmt::format("`{} --version` ended with {}: {}", program, tried.status, tried.output);
}

bool has_pdf_terminal() {
  static const bool found = run_gnuplot({"-e", "set terminal pdfcairo"}).status == 0;
  return found;
}

// gnuplot reports success even if the disk is full, so this checks the last bytes of the picture.
bool is_whole(const fs::path& picture, const std::string& format) {
  std::ifstream in(picture, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::string end = format == "svg" ? "</svg>" : format == "png" ? "IEND" : "%%EOF";
  const std::size_t tail = bytes.size() < 32 ? 0 : bytes.size() - 32;
  return bytes.find(end, tail) != std::string::npos;
}

void check_picture(const Captured& outcome, const char* program, const std::string& format,
                   const std::string& output) {
  if (outcome.status == 0 && is_whole(output, format)) return;
  const std::string words =
      outcome.output.empty() ? "it wrote no complete picture; is the disk full?" : outcome.output;
  throw Error::failed(fmt::format("{}: {} ended with {}: {}", fs::path(output).filename().string(), program,
                                  outcome.status, words));
}

// gnuplot writes an SVG's size in pixels; its viewBox stays.
void set_size(const std::string& picture, const PictureSize& size) {
  std::string text = read_whole(picture);
  const std::size_t begin = text.find("width=\""), end = text.find(" viewBox=", begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  text.replace(begin, end - begin,
               fmt::format(R"(width="{:.4g}pt" height="{:.4g}pt")", size.width, size.height));
  write_whole(picture, text);
}

}  // namespace

std::string no_gnuplot() {
  return why_not("gnuplot", "gnuplot-nox", run_gnuplot({"--version"}));
}

std::string no_pdf() {
  if (has_pdf_terminal()) return {};
  const std::string reason =
      why_not("rsvg-convert", "librsvg2-bin", run_program({"rsvg-convert", "--version"}));
  if (reason.empty()) return {};
  return "gnuplot draws no PDF here (Debian's gnuplot-nox does), and cannot have its SVG converted: " +
         reason;
}

void draw(const charts::Chart& chart, const std::string& format, const std::string& output,
          const std::string& font) {
  if (format == "pdf" && !has_pdf_terminal()) {
    const std::string picture = output + ".svg";
    draw(chart, "svg", picture, font);
    const Captured outcome = run_program({"rsvg-convert", "--format=pdf", "--output=" + output, picture});
    fs::remove(picture);
    check_picture(outcome, "rsvg-convert", format, output);
    return;
  }
  const std::string script = output + ".gp";
  write_whole(script, script_of(chart, format, output, font));
  const Captured outcome = run_gnuplot({script});
  fs::remove(script);
  check_picture(outcome, "gnuplot", format, output);
  if (format == "svg" && chart.column) set_size(output, picture_size(chart));
}

}  // namespace gable::gnuplot
