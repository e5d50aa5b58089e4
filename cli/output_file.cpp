#include "cli/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "cli/interrupt.hpp"
#include "plots/gnuplot/gnuplot.hpp"
#include "plots/gnuplot/script.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

void require_output(const std::string& option, const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw Error::usage(fmt::format("{} {}: this is a folder; name a file in it", option, path));
  const std::string place = fs::exists(path, ignored) ? path : fs::absolute(path).parent_path().string();
  if (access(place.c_str(), W_OK) != 0)
    throw Error::usage(fmt::format("{} {}: cannot be written: {}", option, path, std::strerror(errno)));
}

OutputFile::OutputFile(const std::string& path) : path_(fs::absolute(path)) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) throw Error::usage(path + ": this is a folder; name a file in it");
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    part_ = path_;
    return;
  }
  // A link stays, and the file that it names is replaced.
  if (fs::is_symlink(path_, ignored)) path_ = fs::weakly_canonical(path_);
  try {
    folder_.emplace(path_.parent_path(), "." + path_.filename().string() + ".");
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "cannot write " + path);
  }
  part_ = folder_->path / path_.filename();
}

void OutputFile::keep(const fs::path& written) {
  if (folder_) fs::rename(written, path_);
}

void draw_charts(std::vector<charts::Chart> charts, const std::string& folder,
                 const PictureArguments& arguments, std::FILE* tell) {
  const auto check = [] {
    if (stop_requested()) throw Error::interrupted("interrupted: the charts are as they were");
  };
  std::vector<std::string> formats = arguments.formats;
  if (formats.empty()) formats = {"svg", "png"};
  if (arguments.formats.empty() && arguments.column) formats.emplace_back("pdf");
  gnuplot::write_and_draw(std::move(charts), folder, formats, tell, check,
                          arguments.font.empty() ? gnuplot::usual_font : arguments.font);
}

}  // namespace gable::cli
