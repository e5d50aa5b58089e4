#include "kmaf/replay/trace/temporary_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace gable::kmaf {

File temporary_file() {
  const char* const folder = std::getenv("TMPDIR");
  std::string name = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/gable-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) fail("cannot make a temporary file " + name);
  unlink(name.c_str());
  File file(fdopen(descriptor, "w+b"));
  if (!file) fail("cannot make a temporary file " + name);
  return file;
}

void read_at(const File& file, void* to, std::size_t bytes, std::uint64_t offset) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(fileno(file.get()), at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("cannot read a temporary file");
    at += got;
    bytes -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

}  // namespace gable::kmaf
