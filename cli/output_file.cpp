#include "cli/output_file.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "cli/commands.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

void require_output(const std::string& option, const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    throw UsageError(fmt::format("{} {}: this is a folder; name a file in it", option, path));
  const std::string place = fs::exists(path, ignored) ? path : fs::absolute(path).parent_path().string();
  if (access(place.c_str(), W_OK) != 0)
    throw UsageError(fmt::format("{} {}: cannot be written: {}", option, path, std::strerror(errno)));
}

OutputFile::OutputFile(const std::string& path) : path_(fs::absolute(path)) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) throw UsageError(path + ": this is a folder; name a file in it");
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) {
    part_ = path_;
    return;
  }
  // A link stays, and the file that it names is replaced.
  if (fs::is_symlink(path_, ignored)) path_ = fs::weakly_canonical(path_);
  std::string folder = (path_.parent_path() / ("." + path_.filename().string() + ".XXXXXX")).string();
  if (mkdtemp(folder.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot write " + path);
  folder_ = folder;
  part_ = folder_ / path_.filename();
}

OutputFile::~OutputFile() {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void OutputFile::keep(const fs::path& written) {
  if (!folder_.empty()) fs::rename(written, path_);
}

}  // namespace gable::cli
