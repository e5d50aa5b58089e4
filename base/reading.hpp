#pragma once

// What escapes a reader names the file.

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "base/format_error.hpp"

namespace gable {

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
