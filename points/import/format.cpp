// Which tool wrote a file.

#include <algorithm>
#include <cctype>

#include "base/error.hpp"
#include "base/reading.hpp"
#include "points/import/import.hpp"

namespace gable::points {

namespace {

// Whether a line begins with the word and is a row of several cells.
bool has_row(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (begins && end < text.size() && std::string_view(",;\t").find(text[end]) != std::string_view::npos)
      return true;
  }
  return false;
}

std::string lower_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string import_format(const std::string& text, const std::string& path) {
  if (text.starts_with('{') || text.find("\"counter-value\"") != std::string::npos) return "perf";
  if (has_row(text, "TABLE")) return "likwid";
  constexpr std::size_t enough = 20000;
  const std::string start = lower_letters(text.substr(0, enough));
  for (const char* column : {"self_gflop", "self gflop", "loops", "loop_name"}) {
    if (start.find(column) != std::string::npos) return "advisor";
  }
  const bool is_of_perf = start.find("# started on") != std::string::npos ||
                          start.find("performance counter stats") != std::string::npos;
  throw Error::format(path, 1,
                      is_of_perf ? "perf stat wrote it without -j: write it with `perf stat -j -o FILE`"
                                 : "not recognized as likwid-perfctr -O, perf stat -j or a survey of "
                                   "Advisor; name it with --format");
}

std::string unmarked_text(std::string text, const std::string& path) {
  if (is_utf16(text)) throw Error::format(path, 1, save_as_utf8);
  if (text.starts_with(utf8_mark)) text.erase(0, utf8_mark.size());
  return text;
}

}  // namespace gable::points
