#include "cli/text/shell_words.hpp"

#include <fmt/format.h>
#include <wordexp.h>

#include <new>

#include "base/error.hpp"

namespace gable::cli {

std::vector<std::string> shell_words(const std::string& command, const std::string& option) {
  wordexp_t found = {};
  const int error = wordexp(command.c_str(), &found, WRDE_NOCMD);
  const std::vector<std::string> words =
      error == 0 ? std::vector<std::string>(found.we_wordv, found.we_wordv + found.we_wordc)
                 : std::vector<std::string>();
  if (error == 0 || error == WRDE_NOSPACE) wordfree(&found);  // some may be there when memory runs out
  if (error == WRDE_NOSPACE) throw std::bad_alloc();
  if (error != 0) {
    throw Error::usage(fmt::format(
        "{}: {}: {}", option, command,
        error == WRDE_SYNTAX ? "a quote or a bracket is not closed"
                             : "one command without |&;<>(){}, $(...) and `...`: or put them in quotes"));
  }
  return words;
}

std::string shell_quoted(const std::string& argument) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  const std::string word = argument.starts_with('-') ? "./" + argument : argument;
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  return in_quotes(word);
}

std::string in_quotes(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace gable::cli
