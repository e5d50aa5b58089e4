#include "points/temporary_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>

#include "points/counts.hpp"

namespace gable::points {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& what) {
  const char* const chosen = getenv("TMPDIR");
  std::string name = fs::absolute(chosen && *chosen ? chosen : "/tmp") / ("gable-" + what + "-XXXXXX");
  if (!mkdtemp(name.data()))
    throw CountError(
        fmt::format("{}: cannot be made ({}); set TMPDIR to a folder with room", name, strerror(errno)));
  path = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

}  // namespace gable::points
