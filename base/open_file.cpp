#include "base/open_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"

namespace gable {

OpenFile::OpenFile(int descriptor, const std::string& what) : descriptor_(descriptor) {
  if (descriptor_ < 0) fail(what);
}

OpenFile::~OpenFile() {
  ::close(descriptor_);
}

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int flush_to_disk(int file) {
  return ::fdatasync(file) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

void flush_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const OpenFile file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                      "cannot open " + folder.string());
  flush_to_disk(file);
}

}  // namespace gable
