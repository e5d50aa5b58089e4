// Files that are either the old or the new one, whole.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "model/json/format.hpp"

namespace gable::model {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// A file descriptor that closes itself.
class File {
 public:
  File(int descriptor, const std::string& what) : descriptor_(descriptor) {
    if (descriptor_ < 0) fail(errno, what);
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

// Writes all of `text`; the error number, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// Pipes and devices cannot be synchronized and need not be.
int synchronize(int file) {
  return ::fdatasync(file) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

// Makes a new name in the file's folder last.
void synchronize_folder(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                  "cannot open " + folder.string());
  synchronize(file);
}

void check_last_line(int file, off_t size, const std::string& path) {
  char last = '\n';
  if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n') {
    const std::string text = read_whole(path);
    const auto line = std::count(text.begin(), text.end(), '\n') + 1;
    throw FormatError(path + ":" + std::to_string(line) + ": the last line is cut off; delete it");
  }
}

void replace_by_rename(const std::string& path, std::string_view text, mode_t mode) {
  std::string temporary = path + ".XXXXXX";
  const std::string what = "cannot write " + path;
  const File file(::mkostemp(temporary.data(), O_CLOEXEC), what);
  int error = write_all(file, text);
  if (error == 0 && ::fchmod(file, mode) != 0) error = errno;
  if (error == 0) error = synchronize(file);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(error, what);
  }
  synchronize_folder(path);
}

// Holds the line while it is appended: a process killed in the middle of a write may leave a part of it.
std::string copy_of_append(const std::string& path) {
  return path + ".next";
}

int overwrite(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  const int error = write_all(file, text);
  ::close(file);
  return error;
}

}  // namespace

void finish_append(const std::string& path) {
  const std::string copy = copy_of_append(path);
  if (!fs::exists(copy)) return;
  const std::string line = read_whole(copy);
  const std::string text = fs::exists(path) ? read_whole(path) : "";
  const std::string begun = text.substr(text.rfind('\n') + 1);
  if (!begun.empty() && line.ends_with('\n') && line.starts_with(begun)) {
    const File file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), "cannot append to " + path);
    const int error = write_all(file, std::string_view(line).substr(begun.size()));
    if (error != 0) fail(error, "cannot append to " + path);
  }
  ::unlink(copy.c_str());
}

void append_line(const std::string& path, std::string_view line) {
  const std::string what = "cannot append to " + path;
  const std::string text = std::string(line) + "\n";
  const File file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666), what);
  struct stat before = {};
  if (::fstat(file, &before) != 0) fail(errno, what);
  check_last_line(file, before.st_size, path);
  const std::string copy = copy_of_append(path);
  int error = S_ISREG(before.st_mode) ? overwrite(copy, text) : 0;
  if (error == 0) error = write_all(file, text);
  if (error == 0) error = synchronize(file);
  ::unlink(copy.c_str());
  if (error != 0) {
    const bool cut = ::ftruncate(file, before.st_size) == 0 || !S_ISREG(before.st_mode);
    fail(error, cut ? what : what + ", nor cut it back to " + std::to_string(before.st_size) + " bytes");
  }
  if (before.st_size == 0) synchronize_folder(path);
}

void write_whole(const std::string& path, std::string_view text) {
  struct stat before = {};
  if (::stat(path.c_str(), &before) != 0) return replace_by_rename(path, text, 0644);
  if (S_ISREG(before.st_mode)) return replace_by_rename(fs::canonical(path), text, before.st_mode & 07777);
  const std::string what = "cannot write " + path;
  const File file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), what);
  if (const int error = write_all(file, text); error != 0) fail(error, what);
}

std::string read_whole(const std::string& path) {
  const std::string what = "cannot read " + path;
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), what);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno != EINTR) fail(errno, what);
    if (count == 0) return text;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace gable::model
