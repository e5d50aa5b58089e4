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

/// The mark that some editors and spreadsheets put before a text.
inline constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

/// Whether the text begins with the mark of UTF-16, which no reader here understands; what to say of it.
inline bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}
inline constexpr const char* save_as_utf8 = "the text is UTF-16: save it as UTF-8";

/// The text without a mark of UTF-8 before it. Throws Error::format for UTF-16.
inline std::string_view unmarked_text(std::string_view text, const std::string& path) {
  if (is_utf16(text)) throw Error::format(path, 1, save_as_utf8);
  if (text.starts_with(utf8_mark)) text.remove_prefix(utf8_mark.size());
  return text;
}

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
