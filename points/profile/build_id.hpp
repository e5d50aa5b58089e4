#pragma once

#include <string>

namespace gable::points {

/// The build id of an ELF file in hexadecimal; empty if it has none, or is a script.
std::string build_id(const std::string& path);

/// The build id, or a hash of the content of a file without one. It is valid within this process only. Empty
/// if the file cannot be read.
std::string code_identity(const std::string& path);

}  // namespace gable::points
