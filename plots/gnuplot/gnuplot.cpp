#include "plots/gnuplot/gnuplot.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/programs/program.hpp"
#include "base/temporary_folder.hpp"

namespace gable::gnuplot {

namespace fs = std::filesystem;

namespace {

// Runs the program, in `folder` if one is given. It does not get GNUTERM, which names a terminal that may not
// exist here and is tried at every start, and no GNUPLOT_..., which name folders and fonts.
Captured run_program(std::vector<std::string> command, const fs::path& folder = {}) {
  return output_of({.command = std::move(command),
                    .without = {"GNUTERM", "GNUPLOT"},
                    .folder = folder,
                    .outputs = Outputs::together});
}

Captured run_gnuplot(std::vector<std::string> arguments, const fs::path& folder = {}) {
  arguments.insert(arguments.begin(), {"gnuplot", "--default-settings"});
  return run_program(std::move(arguments), folder);
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

bool has_terminal(const std::string& format) {
  static std::map<std::string, bool> known;
  const auto [found, is_new] = known.try_emplace(format, true);
  if (is_new && format != "svg")  // every gnuplot has that one
    found->second = run_gnuplot({"-e", fmt::format("set terminal {}cairo", format)}).status == 0;
  return found->second;
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
                   const fs::path& picture, const std::string& output) {
  if (outcome.status == 0 && is_whole(picture, format)) return;
  const std::string words =
      outcome.output.empty() ? "it wrote no complete picture; is the disk full?" : outcome.output;
  throw Error::failed(fmt::format("{}: {} ended with {}: {}", fs::path(output).filename().string(), program,
                                  outcome.status, words));
}

// gnuplot writes an SVG's size in pixels; its viewBox stays.
void set_size(const fs::path& picture, const PictureSize& size) {
  std::string text = read_whole(picture);
  const std::size_t begin = text.find("width=\""), end = text.find(" viewBox=", begin);
  if (begin == std::string::npos || end == std::string::npos) return;
  text.replace(begin, end - begin,
               fmt::format(R"(width="{:.4g}pt" height="{:.4g}pt")", size.width, size.height));
  write_whole(picture, text);
}

// Converts picture.svg in the folder to picture.png or picture.pdf.
void convert(const fs::path& folder, const std::string& format, const PictureSize& pixels,
             const std::string& output) {
  std::vector<std::string> arguments = {"rsvg-convert", "--format=" + format, "--output=picture." + format,
                                        "picture.svg"};
  if (format == "png")
    arguments.insert(arguments.end() - 1, {fmt::format("--width={:.0f}", pixels.width),
                                           fmt::format("--height={:.0f}", pixels.height)});
  const Captured outcome = run_program(arguments, folder);
  check_picture(outcome, "rsvg-convert", format, folder / ("picture." + format), output);
}

}  // namespace

std::string no_gnuplot() {
  return why_not("gnuplot", "gnuplot-nox", run_gnuplot({"--version"}));
}

std::string no_picture(const std::string& format) {
  if (has_terminal(format)) return {};
  const std::string reason =
      why_not("rsvg-convert", "librsvg2-bin", run_program({"rsvg-convert", "--version"}));
  if (reason.empty()) return {};
  return "gnuplot cannot draw it here (Debian's gnuplot-nox can), and its SVG cannot be converted: " + reason;
}

void draw(const charts::Chart& chart, const std::string& format, const std::string& output,
          const std::string& font) {
  // The programs see only these names: the folder and the chart may have any characters in theirs.
  const TemporaryFolder folder(fs::absolute(output).parent_path(), ".drawing.");
  const bool converts = !has_terminal(format);
  const std::string drawn = converts ? "svg" : format, picture = "picture." + drawn;
  write_whole(folder.path / "picture.gp", script_of(chart, drawn, picture, font));
  check_picture(run_gnuplot({"picture.gp"}, folder.path), "gnuplot", drawn, folder.path / picture, output);
  if (drawn == "svg" && chart.column) set_size(folder.path / picture, picture_size(chart));
  if (converts) convert(folder.path, format, pixel_size(chart), output);
  fs::rename(folder.path / ("picture." + format), output);
}

}  // namespace gable::gnuplot
