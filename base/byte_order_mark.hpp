#pragma once

// The mark that some editors and spreadsheets put before a text.

#include <string_view>

namespace gable {

inline constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

/// Whether the text begins with the mark of UTF-16, which no reader here understands.
inline bool is_utf16(std::string_view begin) {
  return begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff");
}

/// What to say of such a file.
inline constexpr const char* save_as_utf8 = "the text is UTF-16: save it as UTF-8";

}  // namespace gable
