#include "cli/text/arguments.hpp"

#include <fmt/format.h>
#include <wordexp.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/words.hpp"

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

std::optional<double> bytes_from(const std::string& text) {
  static const std::map<std::string, double> units = {
      {"", 1},       {"b", 1},        {"k", 0x1p10},   {"kib", 0x1p10}, {"kb", 1e3},
      {"m", 0x1p20}, {"mib", 0x1p20}, {"mb", 1e6},     {"g", 0x1p30},   {"gib", 0x1p30},
      {"gb", 1e9},   {"t", 0x1p40},   {"tib", 0x1p40}, {"tb", 1e12}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || std::signbit(number)) return std::nullopt;
  std::string unit(read.ptr, end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? 0 : unit.find_first_not_of(' '));
  const auto factor = units.find(lower_case(std::move(unit)));
  if (factor == units.end() || !std::isfinite(number * factor->second)) return std::nullopt;
  return number * factor->second;
}

double seconds_from(const std::string& text, const std::string& option, const std::string& examples,
                    bool may_be_0) {
  static const std::map<std::string_view, double> units = {
      {"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const auto factor = units.find(std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)));
  const bool good = read.ec == std::errc{} && factor != units.end() && std::isfinite(number);
  if (!good || number < 0 || (number == 0 && !may_be_0))
    throw Error::usage(fmt::format("{} {}: give a time such as {}", option, text, examples));
  return number * factor->second;
}

std::string bytes_cell(double bytes) {
  constexpr double most = 1e19;  // that bytes_text takes
  return bytes < 0.5 ? "-" : bytes_text(static_cast<std::uint64_t>(std::min(std::round(bytes), most)));
}

}  // namespace gable::cli
