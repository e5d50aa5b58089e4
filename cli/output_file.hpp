#pragma once

// Files that commands write: those that appear only when they are complete, and charts.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "plots/charts/chart.hpp"

namespace gable::cli {

/// Throws Error::usage, which names `option`, if no file can be created or written at `path`. Checked before
/// anything runs.
void require_output(const std::string& option, const std::string& path);

/// Until `keep`, the output is in a separate folder beside the file, which the destructor removes. Devices
/// and pipes are written directly.
class OutputFile {
 public:
  /// Throws std::system_error if nothing can be written beside `path`, Error::usage if it is a folder.
  explicit OutputFile(const std::string& path);

  /// The path to write to: absolute, with the same file name. Other files beside it are not kept.
  const std::filesystem::path& part() const { return part_; }

  /// Replaces the file by `written`, which is part() or a file beside it. Throws std::system_error.
  void keep(const std::filesystem::path& written);

 private:
  std::filesystem::path path_, part_;
  std::optional<TemporaryFolder> folder_;
};

/// What every command that draws asks for.
struct PictureArguments {
  std::vector<std::string> formats;  ///< svg, png, pdf; empty: svg and png, for a paper's column pdf too
  std::string font;                  ///< empty: the usual one
  bool column = false;               ///< for a paper's column
};

/// gnuplot::write_and_draw; throws Error::interrupted once a stop is requested, with the charts as they were.
void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const PictureArguments& arguments, std::FILE* tell);

}  // namespace gable::cli
