#pragma once

// POSIX regular expressions, because <regex> takes seconds to compile.

#include <regex.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace gable::tests {

/// The first match of an extended expression in a text, then the content of each group ("" if unused),
/// then the rest of the text; empty if nothing matches.
inline std::vector<std::string> matched(const char* expression, const std::string& text) {
  regex_t compiled;
  if (regcomp(&compiled, expression, REG_EXTENDED) != 0) throw std::runtime_error(expression);
  std::vector<regmatch_t> places(compiled.re_nsub + 1);
  std::vector<std::string> found;
  if (regexec(&compiled, text.c_str(), places.size(), places.data(), 0) == 0) {
    for (const regmatch_t& place : places) {
      found.push_back(place.rm_so < 0 ? "" : text.substr(place.rm_so, place.rm_eo - place.rm_so));
    }
    found.push_back(text.substr(places[0].rm_eo));
  }
  regfree(&compiled);
  return found;
}

}  // namespace gable::tests
