#include "base/temporary_folder.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"

namespace gable {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = ".gable-in-use";
constexpr const char* random_part = "XXXXXX";  // mkdtemp puts letters and digits there

bool is_name(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + std::string_view(random_part).size())
    return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                     [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

// The descriptor that locks a folder of this user that no process uses any more; else -1.
int lock_of_dead(const fs::path& folder) {
  struct stat seen = {};
  if (lstat(folder.c_str(), &seen) != 0 || !S_ISDIR(seen.st_mode) || seen.st_uid != geteuid()) return -1;
  const int lock = open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (lock < 0) return -1;
  const bool ours = fstat(lock, &seen) == 0 && S_ISREG(seen.st_mode) && seen.st_uid == geteuid();
  if (ours && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
  close(lock);
  return -1;
}

void remove_left(const fs::path& parent, const std::string& prefix) {
  for (const std::string& name : names_in(parent)) {
    if (!is_name(name, prefix)) continue;
    const fs::path folder = parent / name;
    const int lock = lock_of_dead(folder);
    if (lock < 0) continue;
    std::error_code whatever;
    fs::remove_all(folder, whatever);
    close(lock);
  }
}

// Whether the file is locked and still exists: before it was locked, another process may have considered it
// abandoned.
bool hold(int lock) {
  struct stat seen = {};
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;  // a file system without locks
  return fstat(lock, &seen) == 0 && seen.st_nlink > 0;
}

}  // namespace

void TemporaryFolder::make(const fs::path& parent, const std::string& prefix) {
  remove_left(parent, prefix);
  while (true) {
    std::string name = fs::absolute(parent) / (prefix + random_part);
    if (mkdtemp(name.data()) == nullptr) fail(name);
    path = name;
    lock_ = open((path / lock_name).c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock_ < 0) {
      const int error = errno;
      rmdir(path.c_str());
      fail(name, error);
    }
    if (hold(lock_)) return;
    close(lock_);
  }
}

TemporaryFolder::TemporaryFolder(const std::string& what) {
  const char* const chosen = getenv("TMPDIR");
  try {
    make(chosen && *chosen ? chosen : "/tmp", "gable-" + what + "-");
  } catch (const std::system_error& error) {
    throw Error::failed(std::string(error.what()) + "; set TMPDIR to a folder with room");
  }
}

TemporaryFolder::TemporaryFolder(const fs::path& parent, const std::string& prefix) {
  make(parent, prefix);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  for (int attempts = 2; attempts > 0; --attempts) {
    try {
      fs::remove_all(path, ignored);
      break;
    } catch (const std::bad_alloc&) {
      // The next process that makes such a folder removes this one.
    }
  }
  close(lock_);
}

}  // namespace gable
