#include "cli/predict/profile_files.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/folder.hpp"
#include "cli/points_file.hpp"
#include "model/json/programs/profile.hpp"
#include "model/predict/work.hpp"

namespace gable::cli {
namespace {

// It is that of the point's program, and of a run as long. Throws Error::format.
void check(const model::Profile& profile, const std::string& path, const model::Point& point) {
  if (!point.build.empty() && profile.build != point.build)
    throw Error::format(
        path, fmt::format("\"build\" is {}, and the point '{}' is of the build {}: it is the "
                          "profile of another program or version; run the point again",
                          profile.build.empty() ? "empty" : profile.build, point.name, point.build));
  double bytes = 0;
  for (const model::FunctionWork& work : profile.functions) bytes += work.load_bytes + work.store_bytes;
  constexpr double tolerance = 1.05;
  if (point.load_bytes + point.store_bytes > tolerance * bytes)
    throw Error::format(
        path, fmt::format("\"functions\" load and store {:.4g} bytes, and the point '{}' has {:.4g}: it is "
                          "the profile of another program or run",
                          bytes, point.name, point.load_bytes + point.store_bytes));
}

}  // namespace

std::shared_ptr<const model::Profile> ProfileFiles::any(const std::string& path) {
  if (path != path_) {
    profile_.reset();  // before another one needs its memory
    error_ = nullptr;
    path_ = path;
    try {
      profile_ = std::make_shared<const model::Profile>(model::profile_from_json(named_file(path), path));
    } catch (const Error&) {
      error_ = std::current_exception();
    }
  }
  if (error_) std::rethrow_exception(error_);
  return profile_;
}

std::shared_ptr<const model::Profile> ProfileFiles::read(const std::string& path) {
  std::shared_ptr<const model::Profile> profile = any(path);
  if (profile->uses.empty()) throw Error::format(path, "\"uses\" is empty: the program used no memory");
  if (profile->functions.empty())
    throw Error::format(path, "\"functions\" is empty: what the program executed is not known");
  return profile;
}

std::shared_ptr<const model::Profile> ProfileFiles::of_point(const std::string& folder,
                                                             const model::Point& point) {
  const std::string path = profile_path(folder, point.profile);
  std::shared_ptr<const model::Profile> profile = read(path);
  check(*profile, path, point);
  if (!model::lacks_arithmetic(*profile)) return profile;
  auto completed = std::make_shared<model::Profile>(*profile);
  model::complete_arithmetic(*completed, point);
  return completed;
}

}  // namespace gable::cli
