#include "base/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/open_file.hpp"
#include "base/whole_file.hpp"

namespace gable {
namespace {

void check_last_line(int file, off_t size, const std::string& path) {
  char last = '\n';
  if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n') {
    const std::string text = read_whole(path);
    const auto line = std::count(text.begin(), text.end(), '\n') + 1;
    throw Error::format(path, line, "the last line is cut off; delete it");
  }
}

// A copy of the line while it is appended, because a process killed during a write may leave a part of it.
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

void append_text(const std::string& path, std::string_view text) {
  const std::string what = "cannot append to " + path;
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), what);
  int error = write_all(file, text);
  if (error == 0) error = flush_to_disk(file);
  if (error != 0) fail(what, error);
}

// The last line of the file, if it has no end.
std::string torn_line(const std::string& path) {
  const std::string text = std::filesystem::is_regular_file(path) ? read_whole(path) : "";
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

std::string finish_append(const std::string& path) {
  const std::string copy = copy_of_append(path);
  std::string torn = torn_line(path);
  if (std::filesystem::exists(copy)) {
    const std::string line = read_whole(copy);
    if (!torn.empty() && line.ends_with('\n') && line.starts_with(torn)) {
      append_text(path, std::string_view(line).substr(torn.size()));
      torn.clear();
    }
    ::unlink(copy.c_str());
  }
  if (torn.empty()) return {};
  const std::string aside = path + ".torn";
  append_text(aside, torn + "\n");
  const auto whole = static_cast<off_t>(std::filesystem::file_size(path) - torn.size());
  if (::truncate(path.c_str(), whole) != 0) fail("cannot cut off the incomplete last line of " + path);
  return path + ": the last line was cut off and is now in " + aside;
}

void append_line(const std::string& path, std::string_view line) {
  const std::string what = "cannot append to " + path;
  const std::string text = std::string(line) + "\n";
  const OpenFile file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666), what);
  struct stat before = {};
  if (::fstat(file, &before) != 0) fail(what);
  check_last_line(file, before.st_size, path);
  const std::string copy = copy_of_append(path);
  int error = S_ISREG(before.st_mode) ? overwrite(copy, text) : 0;
  if (error == 0) error = write_all(file, text);
  if (error == 0) error = flush_to_disk(file);
  ::unlink(copy.c_str());
  if (error != 0) {
    const bool cut = ::ftruncate(file, before.st_size) == 0 || !S_ISREG(before.st_mode);
    fail(cut ? what : what + ", nor cut it back to " + std::to_string(before.st_size) + " bytes", error);
  }
  if (before.st_size == 0) flush_folder_of(path);
}

}  // namespace gable
