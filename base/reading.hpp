#pragma once

// Reading files and texts: what escapes a reader names the file, and missing memory is an error.

#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"

namespace gable {

/// A stream over a text that throws std::bad_alloc where memory is missing. A plain one takes that for the
/// end of the text, so that the rest of it would be dropped silently.
class TextStream : public std::istringstream {
 public:
  explicit TextStream(const std::string& text) : std::istringstream(text) { exceptions(std::ios::badbit); }
};

/// Calls `read`, which reads the file `path` or a part of it at `where` ("path:line"). Errors that start with
/// the path, those of system calls, and an interruption pass. All others become Error::format "where: ...",
/// and missing memory Error::failed "where: not enough memory".
template <typename Read>
auto reading(std::string_view path, const std::string& where, const Read& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw Error::failed(where + ": not enough memory");
  } catch (const std::system_error&) {
    throw;
  } catch (const Error& error) {
    if (error.kind == Error::Kind::interrupted || std::string_view(error.what()).starts_with(path)) throw;
    throw Error::format(where, error.what());
  } catch (const std::exception& error) {
    throw Error::format(where, error.what());
  }
}

template <typename Read>
auto reading(const std::string& path, const Read& read) {
  return reading(path, path, read);
}

}  // namespace gable
