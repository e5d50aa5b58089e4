#include "plots/html/escape.hpp"

#include <cctype>
#include <cstddef>

namespace gable::html {

namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";

// The bytes of the UTF-8 character at the beginning of the text; 0 where there is none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t size = first < 0x80                     ? 1
                           : first >= 0xC2 && first <= 0xDF ? 2
                           : (first & 0xF0U) == 0xE0        ? 3
                           : first >= 0xF0 && first <= 0xF4 ? 4
                                                            : 0;
  if (size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return size;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const auto letter = static_cast<unsigned char>(text[0]);
    if (size == 0 || letter == 0x7F || (letter < ' ' && letter != '\n' && letter != '\t')) {
      out += replacement;
    } else if (letter == '&') {
      out += "&amp;";
    } else if (letter == '<') {
      out += "&lt;";
    } else if (letter == '>') {
      out += "&gt;";
    } else if (letter == '"') {
      out += "&quot;";
    } else if (letter == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

std::string id_of(std::string_view text) {
  std::string id;
  for (const char c : text) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return id;
}

}  // namespace gable::html
