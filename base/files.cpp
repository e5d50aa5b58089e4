#include "base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "base/owned.hpp"

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

// Flushes the file to the disk; returns the error number, or 0. Pipes and devices need no flush and cannot
// have one.
int flush_to_disk(int file) {
  return ::fdatasync(file) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

// Flushes the folder of `path`, so that a new name in it is durable.
void flush_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                        "cannot open " + folder.string());
  flush_to_disk(file.get());
}

void replace_by_rename(const std::string& path, std::string_view text, mode_t mode) {
  const std::string what = "cannot write " + path;
  const int descriptor = nameless(path);
  const bool has_name = descriptor < 0;
  std::string temporary = path + (has_name ? ".XXXXXX" : fmt::format(".{}", ::getpid()));
  const Descriptor file(has_name ? ::mkostemp(temporary.data(), O_CLOEXEC) : descriptor, what);
  int error = write_all(file.get(), text);
  if (error == 0 && ::fchmod(file.get(), mode) != 0) error = errno;
  if (error == 0) error = flush_to_disk(file.get());
  if (error == 0 && !has_name) error = name_it(file.get(), temporary);
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(what, error);
  }
  flush_folder_of(path);
}

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
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  return file ? write_all(file.get(), text) : errno;
}

void append_text(const std::string& path, std::string_view text) {
  const std::string what = "cannot append to " + path;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), what);
  int error = write_all(file.get(), text);
  if (error == 0) error = flush_to_disk(file.get());
  if (error != 0) fail(what, error);
}

// The last line of the file, if it has no end.
std::string torn_line(const std::string& path) {
  const std::string text = std::filesystem::is_regular_file(path) ? read_whole(path) : "";
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_whole(const std::string& path, std::string_view text) {
  struct stat before = {};
  if (::stat(path.c_str(), &before) != 0) return replace_by_rename(path, text, 0644);
  if (S_ISREG(before.st_mode))
    return replace_by_rename(std::filesystem::canonical(path), text, before.st_mode & 07777);
  const std::string what = "cannot write " + path;
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC), what);
  if (const int error = write_all(file.get(), text); error != 0) fail(what, error);
}

std::string read_whole(const std::string& path) {
  const std::string what = "cannot read " + path;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC), what);
  std::string text;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail(what);
    if (count == 0) return text;
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

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
  const Descriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666), what);
  struct stat before = {};
  if (::fstat(file.get(), &before) != 0) fail(what);
  check_last_line(file.get(), before.st_size, path);
  const std::string copy = copy_of_append(path);
  int error = S_ISREG(before.st_mode) ? overwrite(copy, text) : 0;
  if (error == 0) error = write_all(file.get(), text);
  if (error == 0) error = flush_to_disk(file.get());
  ::unlink(copy.c_str());
  if (error != 0) {
    const bool cut = ::ftruncate(file.get(), before.st_size) == 0 || !S_ISREG(before.st_mode);
    fail(cut ? what : what + ", nor cut it back to " + std::to_string(before.st_size) + " bytes", error);
  }
  if (before.st_size == 0) flush_folder_of(path);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return names;
  while (const dirent* const entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

std::vector<int> numbers_in(const std::string& folder, int least) {
  std::vector<int> numbers;
  for (const std::string& name : names_in(folder)) {
    if (std::isdigit(static_cast<unsigned char>(name[0])) == 0) continue;
    if (const int number = std::atoi(name.c_str()); number >= least) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace gable
