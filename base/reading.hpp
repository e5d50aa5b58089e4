#pragma once

// Reading files and texts: what escapes a reader names the file, and missing memory is an error.

#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "base/format_error.hpp"

namespace gable {

/// A stream over a text that throws std::bad_alloc where memory is missing. A plain one takes that for the
/// end of the text, so that the rest of it would be dropped silently.
class TextStream : public std::istringstream {
 public:
  explicit TextStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

/// Calls `read`, which reads the file `path` or a part of it at `where` ("path:line"). Errors that start with
/// the path, those of system calls, and `Pass` pass. All others become FormatError "where: ...", and missing
/// memory std::runtime_error "where: not enough memory".
template <typename Pass = std::system_error, typename Read>
auto reading(std::string_view path, const std::string& where, const Read& read) {
  try {
    return read();
  } catch (const Pass&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(where + ": not enough memory");
  } catch (const std::exception& error) {
    const bool of_system = dynamic_cast<const std::system_error*>(&error) != nullptr;
    if (of_system || std::string_view(error.what()).starts_with(path)) throw;
    throw FormatError(where + ": " + error.what());
  }
}

template <typename Pass = std::system_error, typename Read>
auto reading(const std::string& path, const Read& read) {
  return reading<Pass>(path, path, read);
}

}  // namespace gable
