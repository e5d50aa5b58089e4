#pragma once

// Profiles of files, read and checked as predictions need them.

#include <exception>
#include <memory>
#include <string>

#include "model/records/point.hpp"
#include "model/records/profile.hpp"

namespace gable::cli {

/// Keeps the profile, or the error, of the last file: several MB. So points that share a file, one after the
/// other, have it read once.
class ProfileFiles {
 public:
  /// Throws Error::format for a broken file, Error::usage for no file.
  std::shared_ptr<const model::Profile> any(const std::string& path);

  /// Throws also Error::format for one without uses of memory or functions, from which nothing is predicted.
  std::shared_ptr<const model::Profile> read(const std::string& path);

  /// The point's profile, with the arithmetic of the point's functions where it has none. Throws
  /// Error::format as above, or if it is of another program.
  std::shared_ptr<const model::Profile> of_point(const std::string& folder, const model::Point& point);

 private:
  std::string path_;
  std::shared_ptr<const model::Profile> profile_;
  std::exception_ptr error_;
};

}  // namespace gable::cli
