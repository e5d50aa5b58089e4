#pragma once

#include <string>

namespace gable::points {

/// The build id of an ELF file in hexadecimal; empty if it has none, or is a script.
std::string build_id(const std::string& path);

}  // namespace gable::points
