#include "base/whole_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/open_file.hpp"

namespace gable {
namespace {

// A file without a name, which disappears with a killed process; -1 where the file system has none.
int nameless(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
}

// Names the file after this process; 0 or the error number. The name is unused: only this process may have
// left it.
int name_it(int file, const std::string& name) {
  ::unlink(name.c_str());
  const std::string link = fmt::format("/proc/self/fd/{}", file);
  return ::linkat(AT_FDCWD, link.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

void replace_by_rename(const std::string& path, std::string_view text, mode_t mode) {
  const std::string what = "cannot write " + path;
  const int descriptor = nameless(path);
  const bool has_name = descriptor < 0;
  std::string temporary = path + (has_name ? ".XXXXXX" : fmt::format(".{}", ::getpid()));
  const OpenFile file(has_name ? ::mkostemp(temporary.data(), O_CLOEXEC) : descriptor, what);
  int error = write_all(file, text);
  if (error == 0 && ::fchmod(file, mode) != 0) error = errno;
  if (error == 0) error = flush_to_disk(file);
  if (error == 0 && !has_name) error = name_it(file, temporary);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(what, error);
  }
  flush_folder_of(path);
}

}  // namespace

void write_whole(const std::string& path, std::string_view text) {
  struct stat before = {};
  if (::stat(path.c_str(), &before) != 0) return replace_by_rename(path, text, 0644);
  if (S_ISREG(before.st_mode))
    return replace_by_rename(std::filesystem::canonical(path), text, before.st_mode & 07777);
  const std::string what = "cannot write " + path;
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), what);
  if (const int error = write_all(file, text); error != 0) fail(what, error);
}

std::string read_whole(const std::string& path) {
  const std::string what = "cannot read " + path;
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), what);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) fail(what);
    if (count == 0) return text;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace gable
