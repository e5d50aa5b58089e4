#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "cli/kmaf/replay/output.hpp"

namespace gable::cli {

namespace fs = std::filesystem;

namespace {

// Depth 0: the name without its ending; 1: the whole name; n: with n - 1 folders before
// it.
std::string name_of(const fs::path& trace, int depth) {
  if (depth == 0) return trace.stem();
  std::string name = trace.filename();
  fs::path folder = trace.parent_path();
  for (int i = 1; i < depth && folder.has_relative_path(); ++i, folder = folder.parent_path())
    name = folder.filename().string() + "-" + name;
  return name;
}

}  // namespace

std::vector<std::string> program_names(const std::vector<std::string>& traces) {
  std::vector<fs::path> paths;
  std::size_t most = 2;
  for (const std::string& trace : traces) {
    const fs::path path = fs::weakly_canonical(trace);
    if (std::ranges::find(paths, path) != paths.end())
      throw Error::usage(fmt::format("{}: this trace is named twice", trace));
    most = std::max(most, static_cast<std::size_t>(std::distance(path.begin(), path.end())));
    paths.push_back(path);
  }
  std::vector<std::string> names;
  for (std::size_t depth = 0; depth <= most; ++depth) {
    names.clear();
    for (const fs::path& path : paths) names.push_back(name_of(path, static_cast<int>(depth)));
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  }
  throw Error::usage("TRACE: the names of these files would give the same picture name; rename one");
}

}  // namespace gable::cli
